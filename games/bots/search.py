"""Search: try promising moves in many positions that the seat cannot distinguish from the real one.

In each imagined position (a world), every move is played out with the same random numbers, so that the results can be
compared. Moves that fall clearly behind are dropped. When several seats decide at the same time, each of the others
picks the option that has worked best for it so far, without knowing what the rest will do.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from typing import Any

from games.bots.knowledge import Knowledge
from games.engine.dice import Dice, QuickDice
from games.engine.registry import AnyEngine
from games.engine.strategy import Option, Strategy

MOST_ARMS = 8
FIRST_LOOK = 12
"""How many worlds to try before dropping any move."""
LOOK_EVERY = 4
CLEARLY = 2.6
"""A move is dropped if it is this many standard errors behind the leader."""
CURIOSITY = 0.25
OPEN_MINDEDNESS = 1.5
"""Other players choose an option e times as often if it is worth this much more."""

Lasts = Callable[[int], bool]
"""Returns whether the budget allows another step after this many worlds."""


@dataclass
class Arm:
    """A move under consideration, with the chance of winning in each world tried so far."""

    option: Option[Any]
    results: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.results) / len(self.results) if self.results else 0.0


@dataclass
class Trial:
    """How well another seat's option has worked so far."""

    prior: float
    visits: int = 0
    total: float = 0.0


class Search:
    def __init__(self, engine: AnyEngine, strategy: Strategy[Any, Any], knowledge: Knowledge, seat: int, dice: Dice):
        self.engine, self.strategy, self.knowledge, self.seat = engine, strategy, knowledge, seat
        self.dice = QuickDice(dice.word())
        self.trials: dict[int, dict[Hashable, Trial]] = {}
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
        """Play out one world from every move. Returns False if the budget ran out before all were tried."""
        world, luck = self.imagine(), self.dice.word()
        others = {
            other: self.others_option(world, other)
            for other in sorted(self.engine.awaiting(world))
            if other != self.seat
        }
        leader = max(arms, key=lambda arm: arm.mean)
        results: list[Sequence[float]] = []
        for arm in arms:
            results.append(self.result(world, arm.option.move, others, QuickDice(luck)))
            if not lasts(self.worlds) and arm is not arms[-1]:
                return False
        for arm, chances in zip(arms, results, strict=True):
            arm.results.append(chances[self.seat])
            if arm is leader:
                self.learn(others, chances)
        return True

    def others_option(self, world: Any, seat: int) -> Option[Any]:
        options = self.strategy.options(world, seat, self.dice)
        trials = self.trials.setdefault(seat, {})
        if any(option.label not in trials for option in options):
            worth = self.strategy.worth(world, seat, options)
            best = max(worth)
            for option, value in zip(options, worth, strict=True):
                trials.setdefault(option.label, Trial(exp((value - best) / OPEN_MINDEDNESS)))
        known = [trials[option.label] for option in options]
        visits = sum(trial.visits for trial in known)
        priors = sum(trial.prior for trial in known)
        mean = sum(trial.total for trial in known) / visits if visits else 0.0

        def urgency(trial: Trial) -> float:
            value = trial.total / trial.visits if trial.visits else mean
            return value + CURIOSITY * trial.prior / priors * sqrt(visits + 1) / (1 + trial.visits)

        return max(zip(options, known, strict=True), key=lambda pair: urgency(pair[1]))[0]

    def learn(self, others: dict[int, Option[Any]], chances: Sequence[float]) -> None:
        for seat, option in others.items():
            trial = self.trials[seat][option.label]
            trial.visits += 1
            trial.total += chances[seat]

    def result(self, world: Any, move: Any, others: dict[int, Option[Any]], dice: Dice) -> Sequence[float]:
        """Play out a world after a move, and return each seat's chance of winning."""
        engine, strategy = self.engine, self.strategy
        state = engine.advance(world, self.seat, move, dice)
        for other, option in others.items():
            if other in engine.awaiting(state) and engine.refusal(state, other, option.move) is None:
                state = engine.advance(state, other, option.move, dice)
        while not strategy.is_horizon(world, state):
            seat = min(engine.awaiting(state))
            state = engine.advance(state, seat, strategy.playout_move(state, seat, dice), dice)
        return strategy.chances(state)


def without_losers(arms: list[Arm]) -> list[Arm]:
    """Drop the moves that are clearly worse than the leader."""
    leader = max(arms, key=lambda arm: arm.mean)
    return [arm for arm in arms if arm is leader or not is_behind(arm, leader)]


def is_behind(arm: Arm, leader: Arm) -> bool:
    gaps = [best - other for best, other in zip(leader.results, arm.results, strict=True)]
    mean = sum(gaps) / len(gaps)
    variance = sum([(gap - mean) ** 2 for gap in gaps]) / (len(gaps) - 1)
    return mean > CLEARLY * sqrt(variance / len(gaps)) and mean > 0
