"""Monte Carlo tree search in many positions that the seat cannot distinguish from the real one.

In each imagined position (a world), every promising move is played out with the same random numbers, so that the
results can be compared. Moves that fall clearly behind are dropped. Below these moves, a tree grows in which each seat
picks the option that has worked best for it so far. Beyond the tree, the game's own strategy plays until the position
can be judged.

Each world has its own cards, so chance is sampled. When several seats decide at the same time, each picks based on its
own results, without knowing what the others will do (decoupled UCT).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from typing import Any

from games.bots.knowledge import Knowledge
from games.engine.dice import Dice, QuickDice
from games.engine.registry import AnyEngine
from games.engine.strategy import Option, Strategy

MOST_ARMS = 8
FIRST_LOOK = 12
"""The number of worlds to try before any move is dropped."""
LOOK_EVERY = 4
CLEARLY = 2.6
"""The number of standard errors by which a move must be behind the leader before it is dropped."""
NEGLIGIBLE = 0.003
"""A move is also dropped if it cannot beat the leader by more than this."""
OPEN_MINDEDNESS = 0.5
"""The difference in value at which players try the better option e times as often."""

Lasts = Callable[[int], bool]
"""Returns whether the budget allows another step after this many worlds."""
Chosen = Mapping[int, Option[Any]]
"""The option that each seat has picked."""


@dataclass(slots=True)
class Trial:
    """How well an option has worked for its seat so far."""

    prior: float
    visits: int = 0
    total: float = 0.0


@dataclass(slots=True)
class Node:
    """A position in the tree. The same options lead to it in all worlds."""

    trials: dict[int, dict[Hashable, Trial]] = field(default_factory=dict)
    children: dict[Hashable, "Node"] = field(default_factory=dict)

    def learn(self, chosen: Chosen, chances: Sequence[float]) -> None:
        for seat, option in chosen.items():
            trial = self.trials[seat][option.label]
            trial.visits += 1
            trial.total += chances[seat]


@dataclass(slots=True)
class Arm:
    """A move under consideration, with its chance of winning in each world that has been tried."""

    option: Option[Any]
    node: Node = field(default_factory=Node)
    results: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.results) / len(self.results) if self.results else 0.0


class Search:
    def __init__(self, engine: AnyEngine, strategy: Strategy[Any, Any], knowledge: Knowledge, seat: int, dice: Dice):
        self.engine, self.strategy, self.knowledge, self.seat = engine, strategy, knowledge, seat
        self.dice = QuickDice(dice.word())
        self.root = Node()
        self.worlds = 0

    def best_move(self, lasts: Lasts) -> Any:
        world = self.imagine()
        options = self.strategy.options(world, self.seat, self.dice)
        if len(options) == 1:
            return options[0].move
        arms = self.best_first(world, options)[:MOST_ARMS]
        while len(arms) > 1 and lasts(self.worlds):
            if not self.try_all(arms, lasts):
                break
            self.worlds += 1
            if self.worlds >= FIRST_LOOK and self.worlds % LOOK_EVERY == 0:
                arms = without_losers(arms)
        return max(arms, key=lambda arm: arm.mean).option.move

    def imagine(self) -> Any:
        return self.strategy.reopened(self.knowledge.imagine(self.dice), self.seat)

    def best_first(self, world: Any, options: Sequence[Option[Any]]) -> list[Arm]:
        worth = self.strategy.worth(world, self.seat, options)
        order = sorted(range(len(options)), key=lambda place: -worth[place])
        return [Arm(options[place]) for place in order]

    def try_all(self, arms: list[Arm], lasts: Lasts) -> bool:
        """Play out one world from every move. Return False if the budget ran out before all moves were tried."""
        world, luck = self.imagine(), self.dice.word()
        others = self.choose(self.root, world, self.engine.awaiting(world) - {self.seat})
        leader = max(arms, key=lambda arm: arm.mean)
        results: list[Sequence[float]] = []
        for arm in arms:
            results.append(self.result(world, arm, others, QuickDice(luck)))
            if not lasts(self.worlds) and arm is not arms[-1]:
                return False
        for arm, chances in zip(arms, results, strict=True):
            arm.results.append(chances[self.seat])
            if arm is leader:
                self.root.learn(others, chances)
        return True

    def result(self, world: Any, arm: Arm, others: Chosen, dice: Dice) -> Sequence[float]:
        """Play out a world, and return each seat's chance of winning."""
        engine, strategy = self.engine, self.strategy
        state = self.advance(world, {self.seat: arm.option, **others}, dice)
        node, path = child(arm.node, others), []
        while node and not strategy.is_horizon(world, state):
            chosen = self.choose(node, state, engine.awaiting(state))
            path.append((node, chosen))
            state = self.advance(state, chosen, dice)
            node = child(node, chosen)
        while not strategy.is_horizon(world, state):
            seat = min(engine.awaiting(state))
            state = engine.advance(state, seat, strategy.playout_move(state, seat, dice), dice)
        chances = strategy.chances(state)
        for passed, chosen in path:
            passed.learn(chosen, chances)
        return chances

    def advance(self, state: Any, chosen: Chosen, dice: Dice) -> Any:
        """Play each seat's option. A move such as a sale can make the other options void."""
        engine, asked = self.engine, state
        for seat, option in chosen.items():
            if state is asked or (seat in engine.awaiting(state) and engine.refusal(state, seat, option.move) is None):
                state = engine.advance(state, seat, option.move, dice)
        return state

    def choose(self, node: Node, state: Any, seats: frozenset[int]) -> Chosen:
        return {seat: self.option(node.trials.setdefault(seat, {}), state, seat) for seat in sorted(seats)}

    def option(self, trials: dict[Hashable, Trial], state: Any, seat: int) -> Option[Any]:
        """Return the option with the best results, or one that has not been tried often enough."""
        options = self.strategy.options(state, seat, self.dice)
        if any(option.label not in trials for option in options):
            worth = self.strategy.worth(state, seat, options)
            best = max(worth)
            for option, value in zip(options, worth, strict=True):
                trials.setdefault(option.label, Trial(exp((value - best) / OPEN_MINDEDNESS)))
        known = [trials[option.label] for option in options]
        visits = sum([trial.visits for trial in known])
        priors = sum([trial.prior for trial in known])
        mean = sum([trial.total for trial in known]) / visits if visits else 0.0
        reach = self.strategy.curiosity / priors * sqrt(visits + 1)
        best_option, most = options[0], -1.0
        for option, trial in zip(options, known, strict=True):
            value = trial.total / trial.visits if trial.visits else mean
            urgency = value + reach * trial.prior / (1 + trial.visits)
            if urgency > most:
                best_option, most = option, urgency
        return best_option


def child(node: Node, chosen: Chosen) -> Node | None:
    """Return the position after these options. If it isn't in the tree yet, add it and return None."""
    key = tuple([option.label for option in chosen.values()])
    if key in node.children:
        return node.children[key]
    node.children[key] = Node()
    return None


def without_losers(arms: list[Arm]) -> list[Arm]:
    """Drop the moves that are clearly worse than the leader."""
    leader = max(arms, key=lambda arm: arm.mean)
    return [arm for arm in arms if arm is leader or may_be_better(arm, leader)]


def may_be_better(arm: Arm, leader: Arm) -> bool:
    gaps = [best - other for best, other in zip(leader.results, arm.results, strict=True)]
    mean = sum(gaps) / len(gaps)
    variance = sum([(gap - mean) ** 2 for gap in gaps]) / (len(gaps) - 1)
    return CLEARLY * sqrt(variance / len(gaps)) - mean > NEGLIGIBLE
