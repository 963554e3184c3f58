"""Play in the terminal: show the board, prompt for a move or a command, and show what happened."""

import time
from collections.abc import Callable
from dataclasses import replace

from cli.command_list import COMMANDS as SHELL_COMMANDS
from cli.local_store import Document
from cli.match_events import MatchEvents, summary
from cli.match_fetch import MOST_MESSAGES, FetchedMatch, News, fetch_match, read_news
from cli.match_screen import fetch_log
from cli.move_submission import pending_move, preview_move, submit_move
from cli.move_words import next_words
from cli.problems import Problem, Refused, Stale, Unreachable
from cli.prompt_commands import COMMANDS, COMPLETED_COMMANDS, Command, leave
from cli.render import match as render
from cli.render import screen as screens
from cli.render.style import Style, resized
from cli.session import Session, ask
from cli.terminal import BELL, display, full_screen, is_too_long, show_in_pager, temporary_status, write
from games.engine.errors import EngineError
from games.engine.registry import engine
from games.engine.text import width

BOTS_TIME = 60.0
POLL_SECONDS = 0.4
LATEST_OWN = 2
"""How many of the player's own actions to show at the end. A turn can consist of two, such as drawing and placing."""
YES = ("", "y", "yes")


def play_turns(session: Session, fetched: FetchedMatch, notice: str = "") -> FetchedMatch:
    """Prompt for moves until it is another player's turn or the player leaves."""
    if offer_unsent(session, fetched.match["id"]):
        fetched = fetch_match(session, fetched.match["id"], offline_ok=False)
    table = Table(session, fetched, notice)
    with full_screen(session):
        table.play()
    if not session.is_demo:
        display(session, table.parting_words())
    return table.fetched


class Table:
    """A player at the prompt, with the match and the contents of the screen."""

    def __init__(self, session: Session, fetched: FetchedMatch, notice: str = "") -> None:
        self.session = session
        self.fetched = fetched
        self.notice = notice
        self.details: Callable[[Style], str] | None = None
        """Renders text that is shown once instead of the board."""
        self.log = fetch_log(session, fetched)
        self.own_moves: tuple[News, ...] = ()
        """The player's own actions, which aren't news to them."""
        self.made = session.made
        self.has_left = False
        self.has_quit = False
        """Whether the player asked to leave."""
        self.events: MatchEvents | None = None
        self.typed = ""
        """What the player had typed when the prompt was interrupted."""

    def play(self) -> None:
        if self.session.is_full_screen and not self.session.is_demo:
            self.events = MatchEvents(self.session, self.fetched.match)
        while not self.has_left and (self.fetched.choices or self.is_waiting):
            self.show()
            typed = self.prompt()
            if typed is None:
                self.notice_change()
                continue
            was_board, self.notice, self.details = not self.details, "", None
            if was_board or not is_back(typed):
                self.handle(typed)

    @property
    def is_waiting(self) -> bool:
        """Whether to wait for the other players. This needs the event stream."""
        match = self.fetched.match
        is_others_turn = match["phase"] == "running" and bool(match["awaiting"]) and not self.fetched.choices
        can_wait = is_others_turn and not self.fetched.has_stand_in and bool(self.own_moves)
        return can_wait and self.events is not None and self.events.are_available()

    def notice_change(self) -> None:
        """Fetch what has changed in the match. If the window has become wide enough for the log, fetch that."""
        was_my_turn, turn = self.fetched.is_my_turn, self.fetched.match["turn"]
        try:
            if self.events and self.events.has_changed.is_set():
                self.refresh()
            elif not screens.has_log(self.session.style):
                self.log = fetch_log(self.session, self.fetched)
        except Unreachable as problem:
            self.notice = problem.message
        if self.fetched.match["turn"] != turn:
            self.notice = ""
        if self.fetched.is_my_turn and not was_my_turn:
            write(BELL)

    def show(self) -> None:
        self.session.style = resized(self.session.style)
        if self.details:
            self.show_text(self.details)
        details = self.details and self.details(self.session.style)
        display(self.session, details or self.screen(self.notice or self.suggested_order))

    def show_text(self, render_text: Callable[[Style], str], *, from_end: bool = False) -> None:
        """Show text instead of the board. Text that is too long for the window is shown in a pager."""
        text = render_text(self.session.style)
        is_long = is_too_long(self.session, text)
        self.details = None if is_long else render_text
        if is_long:
            show_in_pager(text, from_end=from_end)

    def screen(self, notice: str, *, spare: int = 0) -> str:
        """Render the match, and leave some lines free."""
        label = "" if self.session.is_demo else screens.match_label(self.fetched.match)
        style = replace(self.session.style, height=self.session.style.height - spare)
        return screens.fitted(self.fetched, style, label=label, log=self.log, notice=notice)

    @property
    def suggested_order(self) -> str:
        """A suggestion to turn an answer that the player has given before into a standing order."""
        listed = [move["notation"] for move in (self.fetched.choices or {"moves": []})["moves"]]
        again = [move for move in listed if move in self.made and order_from_now_on(self.fetched.match["game"], move)]
        if self.is_sealed or not again:
            return ""
        lasting = order_from_now_on(self.fetched.match["game"], again[0])
        return f"To answer '{again[0]}' every time, type: order {lasting}"

    def prompt(self) -> str | None:
        """Prompt for a line. If the input ends, the player leaves.

        Return None if the screen has to be drawn again.
        """
        if self.session.style.speech:
            return ask(self.question, at_end="quit")
        from cli.line_editor import Interrupted, edit_line

        typed, self.typed = self.typed, ""
        try:
            return edit_line(
                self.question,
                self.next_words,
                self.session.store,
                self.events,
                typed,
                is_full_screen=self.session.is_full_screen,
            )
        except EOFError:
            return "quit"
        except Interrupted as interrupted:
            self.typed = interrupted.typed
            if interrupted.following:
                self.notice, self.details = f"Next: {'  '.join(interrupted.following)}", None
            return None

    @property
    def question(self) -> str:
        if self.details:
            return "Press Enter to go back, or type a move: "
        if self.fetched.choices is None:
            return f"Waiting for {self.fetched.names.objects(self.fetched.match['awaiting'])} … (Enter or q to leave): "
        if self.is_sealed:
            return "Press Enter to leave, or type 'withdraw' to decide again: "
        if self.forced_move:
            return f"Press Enter to play '{self.forced_move}' (? for help): "
        return "Your move (? for help): "

    @property
    def is_sealed(self) -> bool:
        """Whether the player has sealed a move and is waiting for the others."""
        return not self.fetched.is_my_turn

    @property
    def forced_move(self) -> str:
        choices = self.fetched.choices or {"moves": [], "forms": []}
        is_forced = len(choices["moves"]) == 1 and not choices["forms"] and not self.is_sealed
        return str(choices["moves"][0]["notation"]) if is_forced else ""

    def next_words(self, typed: list[str]) -> list[str]:
        moves = next_words(self.fetched.match["game"], self.fetched.choices, typed)
        return moves if typed else [*moves, *COMPLETED_COMMANDS]

    def handle(self, typed: str) -> None:
        typed = typed.removeprefix("turnpost ")
        word, _, rest = typed.partition(" ")
        if not typed:
            self.press_enter()
        elif word.lower() in COMMANDS:
            self.run(COMMANDS[word.lower()], rest.strip())
        elif move := render.move_by_letters(self.fetched.choices, typed.lower()):
            self.make_move(move, is_certain=self.session.yes)
        elif word.lower() in SHELL_COMMANDS:
            self.notice = f"'{word}' doesn't work at this prompt. Leave with q, then type: turnpost {word}"
        elif self.is_unlisted_letter(word):
            self.notice = f"There is no move {typed}. The list ends at {self.last_letter}."
        elif typed.isdecimal():
            self.notice = f"Which move is {typed}? Type it in full, or choose a move by its letter."
        elif meant := self.likely_word(word.lower()):
            self.notice = f"I don't know '{word}'. Did you mean '{meant}'?"
        else:
            self.make_move(typed, is_certain=True)

    def is_unlisted_letter(self, typed: str) -> bool:
        return typed.isalpha() and len(typed) == 1 and bool(self.last_letter)

    @property
    def last_letter(self) -> str:
        """The letter of the last move on the list."""
        listed = self.fetched.choices["moves"] if self.fetched.choices else []
        return render.letters(len(listed) - 1) if listed else ""

    def likely_word(self, word: str) -> str:
        """Return the word that the player may have meant instead of this one, unless a move starts with it."""
        from difflib import get_close_matches

        possible = self.next_words([])
        if word in (*possible, *known_verbs(self.fetched.match["game"])):
            return ""
        return next(iter(get_close_matches(word, possible, n=1)), "")

    def press_enter(self) -> None:
        if self.forced_move:
            self.make_move(self.forced_move, is_certain=True)
        elif self.is_sealed:
            self.has_left = True

    def run(self, command: Command, rest: str) -> None:
        try:
            command(self, rest)
        except (Refused, Stale, Unreachable) as problem:
            self.report(problem)

    def report(self, problem: Problem) -> None:
        """Say what is wrong. Examples of other moves are left out, because the possible moves are listed."""
        is_needless = "turnpost " in problem.hint or problem.hint.startswith("Try ")
        is_needless = is_needless and not isinstance(problem, Unreachable)
        self.notice = problem.message if is_needless else problem.text

    def make_move(self, move: str, *, is_certain: bool) -> None:
        """Make the move and show the new position. If the move is refused, the player can choose again."""
        match_id, turn = self.fetched.match["id"], int(self.fetched.match["turn"])
        try:
            if not is_certain and not self.confirm(move, turn):
                return
            response = submit_move(self.session, pending_move(match_id, move, turn))
        except (Refused, Stale) as problem:
            self.report(problem)
            if isinstance(problem, Stale):
                self.refresh()
            return
        if self.events:
            self.events.known_turn = int(response["turn"])
        self.own_moves += own_action(response, self.fetched.match)
        self.fetched = replace(self.fetched, news=(), messages=())
        self.made.add(str(response["move"]["notation"]))
        if response["move"]["sealed"] and response["turn"] == turn:
            self.notice = f"Your move '{response['move']['notation']}' is sealed until everyone has moved."
        try:
            self.refresh()
            self.wait_for_bots()
        except Unreachable as problem:
            problem.message = f"You made your move '{response['move']['notation']}'. {problem.message}"
            raise
        if self.fetched.match["turn"] != turn:
            self.notice = ""

    def leave(self) -> None:
        """Leave the prompt. The demo asks first, because it doesn't keep the match. The end of the input means yes."""
        if self.session.is_demo:
            display(self.session, self.screen(""))
            self.has_quit = ask("Leave and lose this match? [y/N] ", at_end="y").lower() in ("y", "yes")
        else:
            self.has_quit = True
        self.has_left = self.has_quit

    def confirm(self, move: str, turn: int) -> bool:
        """Preview the move and ask for confirmation, unless the move is sealed and can be replaced later."""
        preview = preview_move(self.session, self.fetched.match["id"], move, turn)
        if preview["move"]["sealed"]:
            return True
        self.display_without_moves(render.move_preview(preview, self.fetched.match))
        if not is_confirmed(f"Play '{move}'? [Y/n] "):
            self.notice = "Nothing was played."
            return False
        return True

    def display_without_moves(self, notice: str) -> None:
        fetched = self.fetched
        self.fetched = replace(fetched, choices=None)
        display(self.session, self.screen(notice))
        self.fetched = fetched

    def refresh(self) -> None:
        """Fetch the match and what has happened in it, apart from the player's own actions."""
        if self.events:
            self.events.has_changed.clear()
        before = self.fetched
        fetched = fetch_match(self.session, before.match["id"], offline_ok=False)
        if self.events:
            self.events.known = summary(fetched.match)
        self.log += fetched.news
        own = [one.text for one in self.own_moves]
        news = [one for one in fetched.news if one.text not in own]
        messages = (*before.messages, *fetched.messages)[-MOST_MESSAGES:]
        self.fetched = replace(fetched, news=(*before.news, *news), messages=messages)

    def wait_for_bots(self) -> None:
        """Wait while only bots that run on the server have to move."""
        if self.session.is_demo:
            # The demo makes the bots' moves, and then prompts again.
            self.has_left = self.fetched.match["awaiting"] != [self.fetched.match["you"]]
            return
        end, shown = time.monotonic() + BOTS_TIME, None
        while is_waiting_for_bots(self.fetched) and time.monotonic() < end:
            if self.session.is_full_screen and summary(self.fetched.match) != shown:
                self.display_without_moves(self.notice)
                shown = summary(self.fetched.match)
            awaited = self.fetched.names.subjects(self.fetched.match["awaiting"])
            with temporary_status(self.session, f"{awaited} … (Ctrl-C to leave)"):
                time.sleep(POLL_SECONDS)
                self.refresh()

    def parting_words(self) -> str:
        """Say what comes next. After a move, also show the board again, because this text stays on the screen."""
        if not self.own_moves:
            return f"Nothing was played. To continue later: turnpost board {self.fetched.match['id']}"
        ending = render.next_command(self.fetched)
        turn = render.whose_turn(self.fetched) if self.fetched.match["phase"] == "running" else ""
        fits = width(f"{turn} {ending}") <= screens.BOARD_WIDTH and "\n" not in ending
        next_step = (" " if fits else "\n").join(filter(None, [turn, ending]))
        own = self.own_moves[-LATEST_OWN:]
        self.fetched = replace(self.fetched, choices=None, news=(*own, *self.fetched.news))
        notice = "\n".join(filter(None, [self.notice, next_step]))
        return self.screen(notice, spare=screens.SHELL_LINES).rstrip("\n")


def is_back(typed: str) -> bool:
    """Return whether the player wants to see the board again after reading a text."""
    return not typed or COMMANDS.get(typed.lower()) is leave


def is_confirmed(question: str) -> bool:
    """Ask for confirmation, with yes as the default. Ctrl-C and Ctrl-D mean no."""
    try:
        return ask(question, at_end="n").lower() in YES
    except KeyboardInterrupt:
        return False


def own_action(response: Document, match: Document) -> tuple[News, ...]:
    """Return only the event of the player's own action, not the events that followed from it.

    A sealed move has no such event, because the board shows it. If everyone has now decided, the first event is the
    reveal.
    """
    made = News(response["move"]["notation"], is_on_board=bool(response["move"]["sealed"]))
    return (made,) if made.is_on_board else read_news(response["events"][:1], match) or (made,)


def known_verbs(game: str) -> tuple[str, ...]:
    """Return the first words of all moves. A client that is too old for the game doesn't know any."""
    try:
        return tuple(engine(game).verbs)
    except EngineError:
        return ()


def order_from_now_on(game: str, move: str) -> str:
    try:
        language = engine(game).orders
    except EngineError:
        return ""
    return language.from_now_on.get(move, "") if language else ""


def is_waiting_for_bots(fetched: FetchedMatch) -> bool:
    awaited = [seat for seat in fetched.match["seats"] if seat["seat"] in fetched.match["awaiting"]]
    return bool(awaited) and all(seat["level"] or seat["stand_in"] for seat in awaited)


def offer_unsent(session: Session, match_id: str) -> bool:
    """Offer to send a saved move, and return whether it was sent. In that case, there is a new position to show."""
    unsent = session.store.unsent_move(match_id)
    if unsent is None:
        return False
    display(session, f"Your move '{unsent['move']}' on turn {unsent['turn']} couldn't be sent.")
    if ask("Send it now? [y/N] ").lower() not in ("y", "yes"):
        return False
    try:
        display(session, render.move_outcome(submit_move(session, unsent), int(unsent["turn"])))
    except Problem as problem:
        display(session, problem.text)
        return isinstance(problem, Stale)
    return True
