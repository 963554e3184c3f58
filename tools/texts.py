"""List all text that people read, with its location, for editors and translators.

python -m tools.texts                 user-facing text (`make texts`)
python -m tools.texts --developers    docstrings, comments and test names instead
python -m tools.texts cli games/api   only these paths; docs and README.md work, too
"""

import argparse
import ast
import io
import re
import signal
import subprocess
import tokenize
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = (
    "accounts",
    "cli",
    "clock",
    "config",
    "core",
    "demo",
    "games",
    "inbound",
    "notifications",
    "stream",
    "turnpost",
    "web",
)
DEVELOPMENT = ("bench", "deploy", "examples", "manage.py", "tests", "tools")
WORDS_READ = ("inbound/parsing/", "inbound/reading/wording.py", "inbound/reading/command_lines.py", "/phrases.py")
"""The words and phrases in these files are recognized in emails and never shown, so only sentences are listed."""
NOT_SHOWN = re.compile(
    r"(GET|POST|PUT|PATCH|DELETE) \S+"  # routes
    r"|Allow|Authorization|Bearer|Cc|Connection|Date|Forwarded|From|Host|Lax|Location|Precedence|Referer|References"
    r"|Subject|To|Vary|Via|((inline|attachment|private|no-store|text/\w+)[,;] .*)|((user|address)=\d.*)"  # headers
    r"|C[cfnos]|Z[lps]|M[cen]|N[dl]|P[cdefios]|S[ckmo]"  # Unicode categories
)
CODE = re.compile(
    r"^(\(?SELECT|SET LOCAL|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|PRAGMA|VACUUM|BEGIN|ON|FROM|FOR|WHERE|ORDER)\b"
    r"|^(EXISTS|LEFT JOIN|LIMIT|LISTEN|NOTIFY)\b"
    r"|\bWHEN\b|[<>]=|::|\(\?[:P]|\\\w|^[\w.]+\[|\w\b[*+]\s|-src '|[\w-]:[^ ;]+;|^\w[\w.]* \| \w+$|\w\|\w"
)
STYLE = re.compile(r"[\w-]:[^;{}]+;\s*[\w-]+:|^(font|border|padding)[\w-]*:|};[\w-]+:")
TAG = re.compile(r"<!?/?[a-z{][^>]*>", re.IGNORECASE)
TAG_LABEL = re.compile(r"""(?:aria-label|title)="([^"]*)\"""")
PLACEHOLDER = re.compile(r"{[^{}]*(?:{[^{}]*}[^{}]*)*}")
DIRECTIVE = re.compile(r"#\s*(noqa|type:|fmt:|pragma:)")
ENGLISH = re.compile(r"[A-Za-z]{2,}")
SENTENCE = re.compile(r"[^\W\d_][\w'’-]*[,:;]? +\S")
NEW_PARAGRAPH = re.compile(r"\s*(#|\||- |\d+\. )")
LABEL = re.compile(r"[A-Z][a-z]+[.:!?…]?")
TRANSLATED = re.compile(r"""{%\s*translate\s+(["'])(.*?)\1[^%]*%}""")
ALTERNATIVE = re.compile(r"{%\s*(?:else|elif)\b.*?%}")
NOT_TEXT = re.compile(r"{% *comment\b.*?{% *endcomment *%}|[<>](?=[^{}]*%})")
"""A comment in a template, or the sign of a comparison, which would otherwise look like part of a tag."""
INLINE = re.compile(r"</?(?:a|abbr|b|code|em|i|span|strong|time)\b(?![^>]*(?:title|aria-label))[^>]*>")
SCRIPT_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""", re.DOTALL
)
SCRIPT_COMMENT = re.compile(r"/\*(.*?)\*/|(?:^[ \t]*//[^\n]*\n?)+", re.DOTALL | re.MULTILINE)


class Text(NamedTuple):
    path: str
    line: int
    text: str


def texts(paths: list[str], *, developers: bool = False) -> Iterator[Text]:
    readers = FOR_DEVELOPERS if developers else FOR_USERS
    for path in tracked_files(paths, tuple(readers)):
        yield from readers[Path(path).suffix](path, (ROOT / path).read_text("utf-8"))


def tracked_files(paths: list[str], endings: tuple[str, ...]) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    read = (path for path in listed.stdout.splitlines() if path.endswith(endings))
    return [path for path in read if "/migrations/" not in path and (ROOT / path).is_file()]


def user_texts(path: str, source: str) -> Iterator[Text]:
    """Find strings that read as English, and docstrings that become help pages or API descriptions."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in docstring_nodes(tree)}
    skipped = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    skipped |= {id(part) for part in (*type_names(tree), *exported_names(tree))}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
        else:
            continue
        is_docstring, words = id(node) in docstrings, TAG.sub(label_in, text)
        if is_shown_docstring(path) if is_docstring else is_english(words) and not is_only_read(path, words):
            yield Text(path, node.lineno, " ".join((text if is_docstring else words).split()))


def type_names(tree: ast.AST) -> Iterator[ast.AST]:
    """Find the strings in annotations that are names of types. The arguments of calls in annotations are text."""
    for node in ast.walk(tree):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            waiting = [annotation] if annotation else []
            while waiting:
                part = waiting.pop()
                yield part
                waiting += [child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.Call)]


def exported_names(tree: ast.AST) -> Iterator[ast.AST]:
    """Find the names of classes in `__all__` and in the arguments of TypeVar."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == "__all__" for target in node.targets):
            yield from ast.walk(node.value)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "TypeVar":
            yield from node.args


def is_only_read(path: str, words: str) -> bool:
    """Return whether these words are recognized in emails but never shown."""
    return any(name in path for name in WORDS_READ) and not re.match(r"[^a-z].*[.?!]$", words.strip(), re.DOTALL)


def label_in(tag: re.Match[str]) -> str:
    return " ".join(["", *TAG_LABEL.findall(tag[0]), ""])


def template(node: ast.JoinedStr) -> str:
    """Return the text of an f-string, with placeholders for the values."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else placeholder(part) for part in node.values)


def placeholder(part: ast.expr) -> str:
    assert isinstance(part, ast.FormattedValue)
    if isinstance(call := part.value, ast.Call) and ast.unparse(call.func) == "names.verb":
        return str(ast.literal_eval(call.args[0]))
    return "{" + ast.unparse(part.value) + "}"


def is_english(text: str) -> bool:
    words = text.strip()
    if (
        STYLE.search(words)
        or NOT_SHOWN.fullmatch(words)
        or not ENGLISH.search(PLACEHOLDER.sub("", words))
        or CODE.search(PLACEHOLDER.sub("…", words))
    ):
        return False
    return bool(SENTENCE.search(words) or LABEL.fullmatch(words))


def is_shown_docstring(path: str) -> bool:
    return path.startswith("cli/commands/") or "/api/" in path


def docstring_nodes(tree: ast.AST) -> Iterator[ast.Expr]:
    """Find the docstrings of modules, classes and functions, and the strings below attributes."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, documented):
            yield from (
                part for part in node.body if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
            )


def developer_texts(path: str, source: str) -> Iterator[Text]:
    tree = ast.parse(source)
    for statement in docstring_nodes(tree):
        if isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str):
            yield Text(path, statement.lineno, " ".join(statement.value.value.split()))
    yield from comments(path, source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Text(path, node.lineno, sentence(node))


def sentence(test: ast.FunctionDef) -> str:
    """Return the name of a test as a sentence, such as "control: the owner sees their data"."""
    name = test.name.removeprefix("test_").replace("_", " ")
    return f"control: {name.removeprefix('control ')}" if name.startswith("control ") else name


def comments(path: str, source: str) -> Iterator[Text]:
    """Find comments. Comments on consecutive lines are joined."""
    block: list[str] = []
    tokens = (token for token in tokenize.generate_tokens(io.StringIO(source).readline))
    found = [token for token in tokens if token.type == tokenize.COMMENT and not DIRECTIVE.match(token.string)]
    for token, following in pairwise([*found, None]):
        assert token is not None
        block.append(token.string.lstrip("# "))
        if following is None or following.start[0] > token.start[0] + 1:
            yield Text(path, token.start[0] + 1 - len(block), " ".join(block))
            block = []


class TemplateText(HTMLParser):
    """Collects the text between a template's tags, and the text in its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_data(self, data: str) -> None:
        for offset, line in enumerate(data.splitlines()):
            without_tags = re.sub(r"{%.*?%}", "", ALTERNATIVE.sub(" | ", line)).strip()
            if ENGLISH.search(re.sub(r"{{.*?}}", "", without_tags)):
                self.found.append((self.getpos()[0] + offset, without_tags))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            text = re.sub(r"{%.*?%}", "", ALTERNATIVE.sub(" | ", value or ""))
            if name in {"alt", "title", "placeholder", "aria-label"} and ENGLISH.search(text):
                self.found.append((self.getpos()[0], text))


def template_texts(path: str, source: str) -> Iterator[Text]:
    parser = TemplateText()
    parser.feed(NOT_TEXT.sub("", INLINE.sub("", TRANSLATED.sub(r"\2", source))))
    yield from (Text(path, line, text) for line, text in parser.found)


def page_texts(path: str, source: str) -> Iterator[Text]:
    """Find paragraphs, list items, headings and table rows. Each is joined into one line."""
    paragraph: list[str] = []
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if paragraph and (not line.strip() or NEW_PARAGRAPH.match(line)):
            text = " ".join(paragraph)
            if ENGLISH.search(text):
                yield Text(path, number - len(paragraph), text)
            paragraph = []
        if line.strip():
            paragraph.append(line.strip())


def script_texts(path: str, source: str) -> Iterator[Text]:
    """Find the strings in a script that read as English."""
    for string in SCRIPT_STRING.finditer(source):
        text = " ".join((string["text"] or "").split())
        if is_english(text):
            yield Text(path, source.count("\n", 0, string.start()) + 1, text)


def script_comments(path: str, source: str) -> Iterator[Text]:
    for comment in SCRIPT_COMMENT.finditer(source):
        lines = (line.strip().lstrip("/* ").removesuffix("*/") for line in comment[0].splitlines())
        if text := " ".join(" ".join(lines).split()):
            yield Text(path, source.count("\n", 0, comment.start()) + 1, text)


def settings_comments(path: str, source: str) -> Iterator[Text]:
    """Find comments in settings files. Comments on consecutive lines are joined."""
    block: list[str] = []
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if line.lstrip().startswith("# "):
            block.append(line.strip().lstrip("# "))
        elif block:
            yield Text(path, number - len(block), " ".join(block))
            block = []


FOR_USERS = {".py": user_texts, ".html": template_texts, ".js": script_texts, ".md": page_texts}
FOR_DEVELOPERS = {
    ".py": developer_texts,
    ".js": script_comments,
    ".conf": settings_comments,
    ".env": settings_comments,
    ".yaml": settings_comments,
}


def main() -> None:
    options = argparse.ArgumentParser(description="List all text that people read, with its location.")
    options.add_argument("paths", nargs="*", help="only these files and folders")
    options.add_argument("--developers", action="store_true", help="docstrings, comments and test names instead")
    chosen = options.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    everywhere = [*PRODUCT, *DEVELOPMENT] if chosen.developers else [*PRODUCT, "tools/verify"]
    for path, line, text in texts(chosen.paths or everywhere, developers=chosen.developers):
        print(f"{path}:{line}: {text}")


if __name__ == "__main__":
    main()
