"""Read the commands in a reply: moves, in the game's notation or in the player's own words, and commands of our own.

When in doubt, nothing is played, and the player is asked to clarify.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from games.engine.registry import AnyEngine
from inbound.reading.command_lines import (
    BULLET,
    PLAIN_SIGNS,
    normal,
    orders_below,
    plain,
    read_line,
    read_question,
    read_vote,
)
from inbound.reading.commands import Agree, Command, Order, PlayMove, Propose, Refuse, Resign, Say, Unreadable
from inbound.reading.move_sentences import is_contradictory
from inbound.reading.position import Position
from inbound.reading.sentences import (
    Chat,
    Idle,
    Moves,
    Refused,
    Sentence,
    UnclearSentence,
    hands_over,
    is_startled,
    read_sentence,
    runs_on,
    sentences,
    takes_back,
)
from inbound.reading.words import is_number, is_word, spoken

MOST_COMMANDS = 20
ORDINAL = re.compile(r"\d\.\s+[^\W\d_]")
CONSEQUENTIAL = (PlayMove, Agree, Refuse, Resign, Propose)
"""Commands that affect the other players, so they are left out if another sentence makes them doubtful."""

WITHOUT_A_MOVE = (Idle, Chat, Refused, UnclearSentence)

APART_HINT = (
    "The line below your message looks like a command, and your mail program may have joined the two. "
    "Nothing was sent or played. Put an empty line between them and try again."
)

HIDDEN_HINT = (
    "The formatting of your email may hide that line, so we didn't act on it. "
    "Write it again without formatting, or send your email as plain text."
)

SEVERAL_HINT = "Your email names more than one move, so nothing was played. Write only the one that you want."

UNSURE_HINT = "Nothing was played, because that doesn't clearly say which move you want."

NO_MOVE_HINT = "No moves are possible now. To write to the other players, start with 'say'."

UNSURE_VOTE_HINT = "Nothing was done, because that doesn't clearly say whether you agree. Reply with: yes or: no"

PLAIN_CHAT_HINT = "Nothing was sent, because that may be a move. To send it as a message, start with 'say'."

PREFIX = re.compile(r"\s*(?:re|aw|antw|fw|fwd|wg|sv|rif|res|enc|tr|r)\s*(?:\[\d+\])?\s*[:：]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """A sentence or a command, and where it is in the reply."""

    line: str
    number: int
    said: Command | Sentence
    is_below_signature: bool = False

    @property
    def command(self) -> Command | Moves | None:
        return None if isinstance(self.said, WITHOUT_A_MOVE) or self.is_below_signature else self.said


def read(
    lines: Sequence[str],
    position: Position,
    rests: Sequence[str] = (),
    unproven: Collection[str] = (),
    subject: str = "",
) -> tuple[Command, ...]:
    """Return the commands in a reply, in order. The result is empty only if the reply says nothing.

    A command among the `unproven` lines may be hidden from its sender, so it is reported instead.

    `rests` are lines that were joined to the line above because a mail program may have wrapped it. If one of them
    might be a command on its own line, nothing is posted or played, because it could be a sealed move.

    The `subject` counts only if the reply itself says nothing.
    """
    parts = list(read_parts(lines, position))
    if position.is_chat and lines and not any(part.command and not isinstance(part.said, Moves) for part in parts):
        return (read_chat(lines, parts, position, unproven),)
    commands = decide(parts, position, unproven)
    if all(isinstance(part.said, Idle) for part in parts):
        return read_subject(subject, position)
    ambiguous = [
        command
        for command in commands
        if isinstance(command, Say) and swallows_a_command(command.text, rests, position)
    ]
    return (Unreadable(ambiguous[0].text, APART_HINT),) if ambiguous else commands


def read_chat(lines: Sequence[str], parts: Sequence[Part], position: Position, unproven: Collection[str]) -> Command:
    """Read a plain reply to a message as a message, unless it may be a move.

    In a game with sealed moves, any number may be one, even if it isn't the player's turn.
    """
    words = [[word for word in spoken(line) if is_word(word)] for line in lines]
    has_number = any(any(map(is_number, each)) for each in words)
    only_numbers = any(each and all(map(is_number, each)) for each in words)
    may_be_secret = has_number and bool(position.engine.sealed_moves)
    if may_be_secret or only_numbers or any(isinstance(part.said, Moves | Refused | UnclearSentence) for part in parts):
        return Unreadable(lines[0], PLAIN_CHAT_HINT)
    hidden = next((line for line in lines if line in unproven), "")
    return Unreadable(hidden, HIDDEN_HINT) if hidden else Say("\n".join(lines))


def read_parts(lines: Sequence[str], position: Position) -> Iterator[Part]:
    has_acted = is_signed = False
    ordered: dict[int, str] = {}
    for number, line in enumerate(lines):
        below = [] if number in ordered else orders_below(lines[number:], position)
        ordered |= dict(enumerate(below, start=number + 1))
        if below:
            continue
        command = Order((ordered[number],)) if number in ordered else read_line(line, position)
        said = (
            [command]
            if command
            else [read_part(each, position) for each in sentences(line.translate(PLAIN_SIGNS), position)]
        )
        for each in said:
            yield Part(line, number, each, is_signed)
            has_acted |= not isinstance(each, WITHOUT_A_MOVE)
            is_signed |= has_acted and isinstance(each, Idle) and each.is_final


def read_part(sentence: str, position: Position) -> Command | Sentence:
    if position.asks_for_a_vote and (vote := read_vote(sentence, position.others)):
        return vote
    return read_question(sentence) or read_sentence(BULLET.sub("", sentence, count=1), position)


def decide(parts: Sequence[Part], position: Position, unproven: Collection[str]) -> tuple[Command, ...]:
    """Return the commands. If a sentence makes them doubtful, leave out moves, votes and resignations."""
    commands: list[Command] = []
    doubt = first_doubt(parts, position)
    for part in parts:
        if part.command and part.line in unproven:
            commands.append(Unreadable(part.line, HIDDEN_HINT))
        elif isinstance(part.command, Moves):
            commands += map(PlayMove, part.command.notations)
        elif part.command:
            commands.append(part.command)
        if commands and isinstance(commands[-1], Unreadable):
            break
    commands = without_repeats(commands, position.engine)[:MOST_COMMANDS]
    if doubt and not (commands and isinstance(commands[-1], Unreadable)):
        rest = [command for command in commands if not isinstance(command, CONSEQUENTIAL)]
        return (*rest, unsure(doubt.line, position))
    if {Agree(), Refuse()} <= set(commands):
        return (Unreadable("", "Your email says both yes and no, so nothing was done."),)
    return alternatives(commands, position) or tuple(commands) or unclear(parts, position)


def first_doubt(parts: Sequence[Part], position: Position) -> Part | None:
    acting = {part.number for part in parts if part.command}
    for part, following in zip_longest(parts, parts[1:]):
        if is_doubtful(part, acting) or (following and may_be_ordinal(part, following)):
            return part
        if following and goes_on(part, following, position):
            return part
    return doubtful_correction(parts) or doubtful_refusal(parts, position)


def may_be_ordinal(part: Part, following: Part) -> bool:
    """Return whether a number with a period may belong to the words after it, as in "12. Dezember"."""
    is_bare = isinstance(part.said, Moves) and part.said.is_bare and following.number == part.number
    return is_bare and isinstance(following.said, Chat) and ORDINAL.search(part.line) is not None


def doubtful_correction(parts: Sequence[Part]) -> Part | None:
    """Return a correction that comes with another command, because it isn't clear what it corrects."""
    corrections = [part for part in parts if isinstance(part.said, Moves) and part.said.is_correction]
    return corrections[0] if corrections and len([part for part in parts if part.command]) > 1 else None


def doubtful_refusal(parts: Sequence[Part], position: Position) -> Part | None:
    """Return a refusal of a move, unless the sentence before or after it states a different move."""
    said = [part for part in parts if not isinstance(part.said, Idle)]
    for previous, part, following in zip([None, *said], said, [*said[1:], None], strict=False):
        if isinstance(part.said, Refused):
            stated = {*moves_of(previous, position), *moves_of(following, position)}
            adds = following is not None and isinstance(following.said, Moves) and following.said.may_continue
            continues = following is not None and not part.said.is_complete
            if not stated or adds or continues or is_contradictory(stated, part.said.notations):
                return part
    return None


def moves_of(part: Part | None, position: Position) -> tuple[str, ...]:
    match part.command if part else None:
        case Moves(notations=notations):
            return notations
        case PlayMove(text=text):
            return (normal(text, position.engine),)
    return ()


def is_doubtful(part: Part, acting: Collection[int]) -> bool:
    """Return whether a sentence may be about a move without stating it, or may take back one that was stated."""
    match part.said:
        case Moves() | PlayMove():
            return part.is_below_signature
        case UnclearSentence(text=text) | Chat(text=text):
            is_open = isinstance(part.said, UnclearSentence) and not part.is_below_signature
            return is_open or (bool(acting) and may_take_back(part, text, acting))
    return False


def may_take_back(part: Part, text: str, acting: Collection[int]) -> bool:
    return takes_back(text, is_beside=part.number in acting, is_below_signature=part.is_below_signature)


def goes_on(part: Part, following: Part, position: Position) -> bool:
    """Return whether a command may belong to the prose before it: to a line that continues, to "your move, Ben", or to
    "really?". A number alone may also answer a question to someone else, or belong to a signature."""
    if following.command is None or not isinstance(part.said, Chat | Idle):
        return False
    if isinstance(following.said, Moves) and following.said.is_bare and may_own_a_number(part.said):
        return True
    if isinstance(part.said, Chat) and is_startled(part.said.text):
        return True
    if following.number == part.number:
        return hands_over(part.said.text)
    return isinstance(part.said, Chat) and runs_on(part.said.text, position)


def may_own_a_number(said: Chat | Idle) -> bool:
    return said.text.rstrip().endswith("?") if isinstance(said, Chat) else said.is_final


def without_repeats(commands: Sequence[Command], engine: AnyEngine) -> list[Command]:
    """Drop a move that was written twice in a row, or that a pasted command repeats: our emails show "draw" beside
    `turnpost play … "draw"`."""
    commands = [
        command
        for previous, command in zip([None, *commands], commands, strict=False)
        if not is_same_move(previous, command, engine)
    ]
    pasted = {command.text for command in commands if isinstance(command, PlayMove) and command.turn is not None}
    return [
        command
        for command in commands
        if not (isinstance(command, PlayMove) and command.turn is None and normal(command.text, engine) in pasted)
    ]


def is_same_move(first: Command | None, second: Command, engine: AnyEngine) -> bool:
    if not (isinstance(first, PlayMove) and isinstance(second, PlayMove)) or first.turn or second.turn:
        return False
    return normal(first.text, engine) == normal(second.text, engine)


def alternatives(commands: Sequence[Command], position: Position) -> tuple[Command, ...]:
    """Report moves that are possible at the same time, because the player can't want both."""
    engine = position.engine
    moves = {engine.parse(command.text) for command in commands if isinstance(command, PlayMove)}
    possible = [move for move in moves if move != engine.withdrawal and position.is_legal(move)]
    if len(possible) < 2:
        return ()
    rest = [command for command in commands if not isinstance(command, PlayMove)]
    return (*rest, Unreadable("", SEVERAL_HINT, is_about_a_move=True))


def unclear(parts: Sequence[Part], position: Position) -> tuple[Command, ...]:
    said = next((part for part in parts if not isinstance(part.said, Idle)), None)
    return (unsure(said.line, position),) if said else ()


def unsure(line: str, position: Position) -> Unreadable:
    if position.asks_for_a_vote:
        return Unreadable(line, UNSURE_VOTE_HINT)
    hint = UNSURE_HINT if position.can_move else NO_MOVE_HINT
    return Unreadable(line, hint, is_about_a_move=True)


def read_subject(subject: str, position: Position) -> tuple[Command, ...]:
    """Read a command in the subject of an otherwise empty reply. Our own subjects name the game, so they don't
    count."""
    written = subject
    while found := PREFIX.match(written):
        written = written[found.end() :]
    if position.engine.title.lower() in written.lower():
        return ()
    parts = list(read_parts([written], position))
    return decide(parts, position, ()) if len(parts) == 1 and parts[0].command else ()


def swallows_a_command(said: str, rests: Sequence[str], position: Position) -> bool:
    return any(may_be_a_command(rest, position) for rest in rests if rest in said)


def may_be_a_command(line: str, position: Position) -> bool:
    """Return whether a line may be a command. A move with a typo counts, because it is just as secret."""
    command = read_line(line, position)
    if command is None:
        words = plain(line).lower().split()
        starts_a_move = bool(words) and words[0] in verbs(position.engine) and any(map(str.isdigit, line))
        return starts_a_move or any(isinstance(part.said, Moves) for part in read_parts([line], position))
    return not isinstance(command, Say | Unreadable)


def verbs(engine: AnyEngine) -> set[str]:
    return {example.split()[0] for example, _ in engine.notation_help}
