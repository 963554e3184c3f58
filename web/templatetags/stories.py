from django.template import Library
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = Library()


@register.filter
def told(text: str) -> SafeString:
    """Render an event. Lines after the first one are details, which stay indented where they wrap."""
    first, *details = text.split("\n")
    return format_html(
        "{}{}", first, format_html_join("", '<span class="detail">{}</span>', ([one] for one in details))
    )
