"""Bytes become text, though the charset that a mail names may be unknown or a lie."""

import codecs

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What is sent under these names is often the larger set.
WIDENED = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem"}


def decode(payload: bytes, charset: str) -> str:
    for mark, codec in BYTE_ORDER_MARKS:
        if payload.startswith(mark):
            return payload.decode(codec, "replace")
    codec = codec_named(charset)
    if codec.startswith(("utf-16", "utf-32")) and b"\0" not in payload:
        codec = ""
    return first_fitting(payload, codec)


def first_fitting(payload: bytes, codec: str) -> str:
    """Single bytes that happen to be valid UTF-8 and more than ASCII are UTF-8, whatever the mail says."""
    tried = [codec] if has_wide_letters(codec) else ["utf-8", codec]
    for candidate in filter(None, tried):
        try:
            return payload.decode(candidate)
        except ValueError:
            continue
    return payload.decode("cp1252", "replace")


def codec_named(charset: str) -> str:
    """Python's name for it, or nothing if it names no charset."""
    wanted = charset.strip().strip("\"'").lower()
    try:
        found = codecs.lookup(wanted)
    except (LookupError, ValueError):
        return ""
    is_text = getattr(found, "_is_text_encoding", True)
    return WIDENED.get(found.name, found.name) if is_text and found.name not in NO_CHARSETS else ""


def has_wide_letters(codec: str) -> bool:
    """Whether letters take several bytes, so that nothing else is to be read into them."""
    return codec.startswith(
        ("utf-", "utf_", "gb", "big5", "euc", "cp93", "cp94", "cp95", "iso2022", "hz", "shift", "johab")
    )
