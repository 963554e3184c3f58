"""The quoting styles of mail programs. Each style builds a reply from the author's lines and the quoted lines."""

import base64
from email.message import EmailMessage
from html import escape
from textwrap import wrap

SENDER = "turnpost@play.example.org"
INTRODUCTIONS = [
    f"On Mon, 16 Nov 2026 at 09:12, Turnpost <{SENDER}> wrote:",
    "On Mon, 16 Nov 2026, Turnpost wrote:",
    f"On Mon, Nov 16, 2026 at 9:12 AM Turnpost <{SENDER}>\nwrote:",
    f"Am Mo., 16. Nov. 2026 um 09:12 Uhr schrieb Turnpost <{SENDER}>:",
    "Am 16.11.2026 um 09:12 schrieb\nTurnpost:",
    f"Le lun. 16 nov. 2026 à 09:12, Turnpost <{SENDER}> a\nécrit\u00a0:",
    "Il giorno lun 16 nov 2026 alle ore 09:12 Turnpost\nha scritto:",
    f"Em seg., 16 de nov. de 2026 às 09:12, Turnpost <{SENDER}>\nescreveu:",
    f"Turnpost <{SENDER}> escreveu (segunda, 16/11/2026 à(s) 09:12):",
    f"Turnpost <{SENDER}> writes:",
]
BLOCKS = [
    f"From: Turnpost <{SENDER}>\nSent: Monday, November 16, 2026 9:12 AM\nTo: Ben\nSubject: Your turn",
    "Von: Turnpost\nGesendet: Montag, 16. November 2026 09:12\nAn: Ben\nBetreff: Your turn",
    "De : Turnpost\nEnvoyé : lundi 16 novembre 2026 09:12\nÀ : Ben\nObjet : Your turn",
    "Da: Turnpost\nInviato: lunedì 16 novembre 2026 09:12\nA: Ben\nOggetto: Your turn",
    "De: Turnpost\nEnviada em: segunda-feira, 16 de novembro de 2026 09:12\nPara: Ben\nAssunto: Your turn",
    "-----Original Message-----",
    "-------- Ursprüngliche Nachricht --------",
    "----- Messaggio originale -----",
    "________________________________",
    "=== Write your reply above this line. ===",
    "Begin forwarded message:",
]
MARKS = ["> ", ">", "| ", "    Turnpost> ", "T> ", ">> ", "» "]
HTML_QUOTES = [
    "<blockquote>{}</blockquote>",
    '<div class="gmail_quote"><div class="gmail_attr">On Monday Turnpost wrote:</div>{}</div>',
    '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Turnpost</div>{}',
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Turnpost</p></div>{}',
    '<div name="quote" style="border-left:2px solid #C3D9E5"><div><b>Von:</b> Turnpost</div>{}</div>',
    '<div class="yahoo_quoted">{}</div>',
    '<div class="protonmail_quote">{}</div>',
    '<hr id="zwchr"><div data-marker="__QUOTED_TEXT__">{}</div>',
    "<p>-----Original Message-----</p>{}",
    f"<p>On Mon, 16 Nov 2026 at 09:12, Turnpost &lt;{SENDER}&gt; wrote:</p><p>Hello Ben,</p>" + "{}",
]


def mail(text, kind="plain"):
    head = f"From: ben@example.net\r\nContent-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: base64"
    return f"{head}\r\n\r\n".encode() + base64.encodebytes(text.encode())


def marked(quoted, mark):
    return "\n".join(mark + line for line in quoted)


def broken_off(quoted, width):
    """Quote marks are added before lines are wrapped, so only the first part of a long line has one."""
    parts = [wrap(f"> {line}", width, break_long_words=False, break_on_hyphens=False) or [">"] for line in quoted]
    return "\n".join(part for line in parts for part in line)


def above(own, introduction, quoted, mark):
    return mail("\n".join([*own, "", introduction, marked(quoted, mark)]))


def below(own, introduction, quoted, mark):
    return mail("\n".join([introduction, marked(quoted, mark), "", *own]))


def below_broken_off(own, introduction, quoted, width):
    return mail("\n".join([introduction, broken_off(quoted, width), "", *own]))


def unmarked(own, beginning, quoted):
    return mail("\n".join([*own, "", beginning, "", *quoted]))


def in_html(own, form, quoted):
    return mail(html_of(own, form, quoted), "html")


def html_of(own, form, quoted):
    return "".join(f"<div>{escape(line)}</div>" for line in own) + form.format("<br>".join(map(escape, quoted)))


def in_both(own, form, introduction, quoted):
    """The text part has no quote marks, and only the HTML part shows what is quoted."""
    message = EmailMessage()
    message.set_content("\n".join([*own, "", introduction, *quoted]))
    message.add_alternative(html_of(own, form, quoted), subtype="html")
    return message.as_bytes()
