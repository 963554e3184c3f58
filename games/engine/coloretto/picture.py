"""A view in plain text, at most 80 columns, shared by the command line and the mails."""

from collections.abc import Sequence
from textwrap import fill

from games.engine.coloretto.cards import COLOURS, GOLDEN_JOKER, JOKER, PLUS_TWO, jokers
from games.engine.coloretto.scoring import Score
from games.engine.coloretto.view import PlayerView, RowView, View
from games.engine.text import fit, listing

COLUMNS = 80
NAME_WIDTH = 16


def picture(view: View, names: Sequence[str]) -> str:
    rows = [] if view.over else ["\n".join(row_line(row, names) for row in view.rows)]
    players = [player_heading(view), *(player_line(view, player, names) for player in view.players)]
    closing = result(view, names) if view.over else whose_turn(view, names)
    return "\n\n".join([headline(view), *rows, "\n".join(players), closing, legend(view)]) + "\n"


def headline(view: View) -> str:
    title = f"Coloretto, {view.edition} edition, {view.table} table"
    game = f"game {view.game} of {view.games}"
    if view.over:
        return f"{title}   {game}, over"
    return f"{title}   {game}\nSupply {view.supply} cards, {last_round(view)}"


def last_round(view: View) -> str:
    if view.until_last_round is None:
        return "and this is the LAST ROUND"
    return f"the last round comes after {view.until_last_round} more"


def row_line(row: RowView, names: Sequence[str]) -> str:
    if row.taken_by is not None:
        return f"  Row {row.row}   taken by {fit(names[row.taken_by], NAME_WIDTH).rstrip()}"
    places = [f"[{card_word(card)}]" for card in row.cards] + ["[  ]"] * (row.room - len(row.cards))
    full = "   full" if len(row.cards) == row.room else ""
    return f"  Row {row.row}   {' '.join(places)}{full}"


def card_word(card: str) -> str:
    return {PLUS_TWO: "+2", JOKER: "Jo", GOLDEN_JOKER: "J*"}.get(card, f"{card} ")


def player_heading(view: View) -> str:
    columns = "".join(f"{colour:>3}" for colour in view.colours)
    points = "points" if view.over else "now"
    total = f"{'total':>8}" if view.games > 1 else ""
    return f"    {'':{NAME_WIDTH}}{columns}   +2  Jo{points:>8}{total}"


def player_line(view: View, player: PlayerView, names: Sequence[str]) -> str:
    mark = ">" if player.seat in view.awaiting else " "
    you = "*" if player.seat == view.seat else " "
    counts = "".join(f"{player.hand.count(colour) or '.':>3}" for colour in view.colours)
    extras = f"{player.hand.count(PLUS_TWO) or '.':>5}{jokers(player.hand) or '.':>4}"
    total = f"{player.total:>8}" if view.games > 1 else ""
    name = fit(names[player.seat], NAME_WIDTH)
    return f"{mark}{you}  {name}{counts}{extras}{player.score_now.total:>8}{total}"


def whose_turn(view: View, names: Sequence[str]) -> str:
    (seat,) = view.awaiting
    who = "You" if seat == view.seat else fit(names[seat], NAME_WIDTH).rstrip()
    verb = "" if seat == view.seat else "s"
    if view.drawn:
        return f"{who} drew [{card_word(view.drawn).strip()}] and choose{verb} a row for it."
    return f"{who} may draw a card or take a row." if rows_open(view) else f"{who} must take a row."


def result(view: View, names: Sequence[str]) -> str:
    best = max(player.total for player in view.players)
    winners = listing([names[player.seat] for player in view.players if player.total == best])
    return fill(f"The match is over. {winners} won with {best} points.", COLUMNS)


def rows_open(view: View) -> bool:
    return any(row.taken_by is None and len(row.cards) < row.room for row in view.rows)


def legend(view: View) -> str:
    colours = " ".join(f"{colour} {COLOURS[colour]}" for colour in view.colours)
    golden = ", J* golden" if view.edition == "modern" else ""
    marks = "* you" if view.over else "> to move, * you, now: the score if the game ended now"
    return f"{colours}; Jo joker{golden}\n{marks}"


def score_lines(score: Score) -> list[str]:
    """The breakdown of a score, a line for each source."""
    lines = [
        f"{line.points:>+4}  {line.cards} {COLOURS[line.colour]}{with_jokers(line.jokers)}" for line in score.colours
    ]
    if score.plus_twos:
        lines.append(f"{2 * score.plus_twos:>+4}  {score.plus_twos} x +2")
    return [*lines, f"{score.total:>4}  in all"]


def with_jokers(count: int) -> str:
    return f" ({count} joker{'s' if count > 1 else ''})" if count else ""
