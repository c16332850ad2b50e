"""Foreign text for messages, as Quoted of Waybill's Java inbox has it."""

import unicodedata

SHOWN = 64


def quoted(text):
    """The text, shortened; what a terminal or a format of logs could interpret is escaped."""
    # Java counts in UTF-16.
    length = len(text.encode("utf-16-le", "surrogatepass")) // 2
    rest = f"... ({length} characters)" if len(text) > SHOWN else ""
    return f'"{"".join(map(_escaped, text[:SHOWN]))}"{rest}'


def _escaped(character):
    if character in '"\\':
        return "\\" + character
    category = unicodedata.category(character)
    if not category.startswith("C") and category not in ("Zl", "Zp"):
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\u{{{code:x}}}"
