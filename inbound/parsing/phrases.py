"""Phrases that mail programs add to replies, grouped by language.

The test corpus covers English, German, French, Italian and Portuguese, but not the other languages.
"""

import re
from collections.abc import Iterable


def phrases(*languages: Iterable[str], around: str = "{}") -> re.Pattern[str]:
    alternatives = "|".join(phrase for language in languages for phrase in language)
    return re.compile(around.format(f"(?:{alternatives})"), re.IGNORECASE)


# "On Monday Ann wrote:" may be wrapped over several lines, so it must be recognizable by its first word.
WRAPPED_INTRODUCTION = phrases(
    [r"on\b.*\b(?:wrote|writes)\b"],
    [r"am\b.*\b(?:schrieb|geschrieben)\b.*"],
    [r"le\b.*\b[aà]? ?[ée]cri(?:t|vait)\b.*"],
    [r"il\b.*\bha scritto\b.*"],
    [r"(?:em|no dia|no|na|a|à|às|aos?)\b.*\bescreveu\b.*"],
    [r"el\b.*\bescribió\b.*", r"op\b.*\bschreef\b.*", r"den\b.*\bskrev\b.*", r"w dniu\b.*\bnapisał\b.*"],
    around=r"{}\s*[:：]",
)
INTRODUCTION = phrases(
    ["wrote", "writes"],
    ["schrieb", "schreibt", "geschrieben"],
    ["[ée]crit", "[ée]crivait"],
    ["ha scritto", "scrive", "scriveva"],
    ["escreveu", "escreve"],
    ["escribió", "schreef", "skrev", "napisał(?:a|[(]a[)])?", "napsal[(]?a?[)]?", "kirjoitti"],
    around=r".*\b{}\b(?:\s+(?:on|at|am|um|le|il|em|no dia|el|op)\b.*|\s*\(.*\))?\s*[:：]",
)
HEADER = phrases(
    ["from", "sent", "date", "to", "cc", "bcc", "subject", "reply[- ]to"],
    ["von", "gesendet(?: am)?", "datum", "an", "betreff", "kopie", "antwort an"],
    ["de", "envoyé(?: le)?", "expédié(?: le)?", "[àa]", "pour", "objet", "sujet", "répondre à"],
    ["da", "inviato", "data", "a", "oggetto", "mittente", "destinatario", "per conto di"],
    ["enviad[oa](?: em)?", "para", "assunto", "responder a"],
    [
        "fecha",
        "asunto",
        "van",
        "verzonden",
        "aan",
        "onderwerp",
        "från",
        "skickat",
        "till",
        "ämne",
        "fra",
        "til",
        "emne",
    ],
    around=r"[\s*_|]*{}[\s*_]*[:：][\s*_]*\S",
)
FORWARDED = phrases(
    ["begin forwarded message", "original message", "forwarded message"],
    ["anfang der weitergeleiteten (?:nachricht|email)", "ursprüngliche nachricht", "original-?nachricht"],
    ["début du message (?:réexpédié|transféré)", "message d.origine", "message original", "message transféré"],
    ["inizio (?:del )?messaggio inoltrato", "messaggio originale", "messaggio inoltrato"],
    ["início da mensagem (?:re)?encaminhada", "mensagem original", "mensagem encaminhada"],
    ["mensaje original", "oorspronkelijk bericht"],
    around=r"\W*{}\s*[:：]?\W*",
)
SIGNATURE = phrases(
    [r"sent (?:from|via|with|using|on|by)\b", r"get (?:outlook|the new outlook|bluemail|spark)\b", r"virus-?free\b"],
    [
        r"von meine[mr]\b",
        r"gesendet (?:von|mit|über|aus|via)\b",
        r"(?:diese (?:nachricht|e-?mail) wurde )?(?:von|mit|über|aus) .{0,60}\b(?:gesendet|gesandt|geschickt)\b",
        r"(?:holen|laden) sie (?:sich )?outlook\b",
        r"outlook für (?:ios|android|mac)\b",
        r"virenfrei\b",
    ],
    [
        r"(?:envoyé|expédié) (?:de|depuis|à partir|avec|par|via|d['’])",
        r"(?:téléchargez?|télécharger|obtenez|obtenir) outlook\b",
        r"(?:sans|garanti sans) virus\b",
    ],
    [r"inviato (?:da|dal|dall['’]|con|tramite|via)", r"(?:scarica|ottieni) outlook\b", r"privo di virus\b"],
    [
        r"enviad[oa] (?:do|de|da|a partir|com|através|pel[oa]|via|desde|usando)\b",
        r"(?:obter|obtenha|baixe|baixar|descarregar|instale) (?:o )?outlook\b",
        r"(?:sem|livre de) vírus\b",
    ],
    [r"(?:verzonden|verstuurd|skickat|sendt|wysłan[eo]) (?:vanaf|met|vanuit|via|från|fra|z)\b"],
)
# These match only at the start of the subject. After "Re:" comes our own subject, which may start with a player's name.
OUT_OF_OFFICE = phrases(
    [
        r"auto(?:mated|matic)?[ -]?(?:reply|response|responder)",
        r"auto:",
        r"out[ -]of[ -](?:the[ -])?office",
        r"away from (?:my|the) ",
        r"on (?:vacation|holiday|leave)\b",
        r"vacation (?:reply|response|notification)",
    ],
    [
        r"automatische (?:antwort|abwesenheits|e-?mail|rück)",
        r"abwesen(?:d|heit)",
        r"nicht im b(?:ü|ue)ro",
        r"im urlaub",
    ],
    [r"réponse automatique", r"(?:message d['’])?absence\b", r"absente? du bureau", r"en congés?\b"],
    [r"risposta automatica", r"fuori (?:sede|ufficio)", r"assenza\b", r"assente\b", r"in ferie\b"],
    [r"resposta automática", r"ausência\b", r"ausente\b", r"fora do escritório", r"de férias\b"],
    [r"respuesta automática", r"fuera de la oficina", r"automatisch antwoord", r"afwezig"],
    around=r"\W*{}",
)
