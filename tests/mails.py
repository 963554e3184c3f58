from django.core.mail import EmailMultiAlternatives


def html_of(mail: EmailMultiAlternatives) -> str:
    content, kind = mail.alternatives[0]
    assert kind == "text/html"
    return str(content)
