"""Edit a line in the terminal, with history and completion.

This module imports prompt_toolkit, which takes a while, so it is imported only when a prompt is shown.
"""

import os
from asyncio import get_running_loop
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, get_common_complete_suffix
from prompt_toolkit.document import Document as Line
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle

from cli.local_store import LocalStore
from cli.match_events import MatchEvents

NextWords = Callable[[list[str]], list[str]]
"""Returns the words that can follow those already typed."""


class Interrupted(Exception):
    """The match or the size of the window changed while the player was typing, or the player asked what can follow."""

    def __init__(self, typed: str, following: Sequence[str] = ()) -> None:
        super().__init__(typed)
        self.typed = typed
        self.following = following


def edit_line(
    question: str,
    next_words: NextWords,
    store: LocalStore,
    events: MatchEvents | None = None,
    typed: str = "",
    *,
    is_full_screen: bool = False,
) -> str:
    """Prompt for a line, which can already contain some text.

    Raise EOFError and KeyboardInterrupt in the same cases as input(). Raise Interrupted when the match changes, or when
    a full screen has to be drawn again, for example to list the words that can follow.
    """
    # Otherwise, prompt_toolkit asks the terminal for the cursor's position, and warns the player if it doesn't respond.
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    session: PromptSession[str] = PromptSession(
        history=PromptHistory(store),
        completer=WordCompleter(next_words),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        color_depth=ColorDepth.MONOCHROME,
        reserve_space_for_menu=0,
        key_bindings=keys_for_full_screen() if is_full_screen else None,
    )
    if is_full_screen:
        interrupt_on_resize(session.app)
    if events is None:
        return session.prompt(question, default=typed).strip()
    try:
        return session.prompt(question, default=typed, pre_run=lambda: interrupt_on_change(session.app, events)).strip()
    finally:
        events.on_change = None


def keys_for_full_screen() -> KeyBindings:
    """Let the caller list the words that can follow, because a list below the line would push the board away."""
    keys = KeyBindings()

    @keys.add("tab")
    def complete(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        found = list(buffer.completer.get_completions(buffer.document, CompleteEvent(completion_requested=True)))
        if len(found) == 1:
            buffer.delete_before_cursor(-found[0].start_position)
            buffer.insert_text(found[0].text)
        elif common := get_common_complete_suffix(buffer.document, found):
            buffer.insert_text(common)
        elif found:
            interrupt(event.app, [word.display_text for word in found])

    return keys


def interrupt(app: Application[str], following: Sequence[str] = ()) -> None:
    if app.is_running and not app.is_done:
        app.exit(exception=Interrupted(app.current_buffer.text, following))


def interrupt_on_resize(app: Application[str]) -> None:
    size = app.output.get_size()

    def check(_app: object) -> None:
        if app.output.get_size() != size:
            get_running_loop().call_soon(interrupt, app)

    app.before_render += check


def interrupt_on_change(app: Application[str], events: MatchEvents) -> None:
    loop = get_running_loop()

    def interrupt_from_thread() -> None:
        with suppress(RuntimeError):  # The prompt has just ended.
            loop.call_soon_threadsafe(interrupt, app)

    events.on_change = interrupt_from_thread
    if events.has_changed.is_set():
        loop.call_soon(interrupt, app)


class WordCompleter(Completer):
    def __init__(self, next_words: NextWords) -> None:
        self.next_words = next_words

    def get_completions(self, document: Line, complete_event: CompleteEvent) -> Iterable[Completion]:
        start, _, current = document.text_before_cursor.rpartition(" ")
        for word in self.next_words(start.split()):
            if word.lower().startswith(current.lower()):
                yield Completion(f"{word} ", start_position=-len(current), display=word)


class PromptHistory(History):
    """The lines that the player typed in earlier runs. They are stored in a file that only the player can read."""

    def __init__(self, store: LocalStore) -> None:
        super().__init__()
        self.store = store

    def load_history_strings(self) -> Iterable[str]:
        return reversed(self.store.typed_lines())

    def store_string(self, string: str) -> None:
        self.store.record_typed_line(string)
