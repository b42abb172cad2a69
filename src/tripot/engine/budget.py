"""The time and simulation budget of a search: one loop for the engines of all games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Lock
from typing import Final

from tripot.game import Candidate, Limit

CLOCK_INTERVAL: Final = 0.005
"""Seconds of simulations between two looks at the clock, by which a search may exceed its limit. Chosen, not
tuned: short against the shortest limits in use, 0.1 s, and long against one look, less than a microsecond."""

INFO_INTERVAL: Final = 0.5
"""Seconds between two reports of the best move so far. Chosen for people who read them, not tuned."""

MIN_TIME_SHARE: Final = 0.25
"""The share of its time that a search uses before it may stop early, 0.0 to 1.0. Chosen, not tuned."""

MIN_BATCH_SECONDS: Final = 1e-6
"""The resolution of the clock in seconds, for batches that seem to take no time."""

MIN_SECONDS: Final = 1e-9
"""Avoids a division by zero for a limit of 0 seconds; the first batch is always run."""


class Budget:
    """What a search may spend, and what it has spent.

    A `Limit` gives seconds or a number of simulations. With simulations the clock has no influence on how
    many are run, so the search is reproducible. `max_simulations` is a second bound, for levels that search
    less. The loop is

        budget = Budget(limit, max_simulations=400)
        for count in budget.batches(best=self.best_candidate):
            simulate(count)

    It runs at least one batch, unless the number of simulations is 0. It reports progress and the best
    candidate to the limit's callbacks, and ends when the budget is spent or `Limit.should_stop` returns True.

    With `Limit.average` the seconds are those of an average move. `time_share` says how much of them this
    move gets, and `is_decided` whether the rest can be saved for later moves.
    """

    def __init__(self, limit: Limit, max_simulations: int | None = None, *, time_share: float = 1.0) -> None:
        self.limit = limit
        self.seconds = limit.seconds * (time_share if limit.average else 1.0)
        self.max_simulations = min(
            (bound for bound in (limit.simulations, max_simulations) if bound is not None), default=None
        )
        self.simulations = 0
        """How many simulations were reserved so far, by all threads."""
        self._started = time.monotonic()
        self._lock = Lock()

    @property
    def is_counted(self) -> bool:
        """Whether the limit is a number of simulations, and not a time."""
        return self.limit.simulations is not None

    @property
    def seconds_left(self) -> float:
        """The seconds until the time limit; 0.0 after it."""
        return max(0.0, self.seconds - (time.monotonic() - self._started))

    @property
    def share(self) -> float:
        """The share of the budget that is spent, 0.0 to 1.0: of the simulations or the time, the larger."""
        shares = [0.0]
        if self.max_simulations is not None:
            shares.append(self.simulations / self.max_simulations if self.max_simulations else 1.0)
        if not self.is_counted:
            shares.append((time.monotonic() - self._started) / max(self.seconds, MIN_SECONDS))
        return min(1.0, max(shares))

    @property
    def is_spent(self) -> bool:
        """Whether the search has to end now: the budget is used up, or the caller wants it to stop."""
        return self.share >= 1.0 or self.limit.should_stop()

    def is_decided(self, visit_lead: int) -> bool:
        """Whether no other move can catch up with the leading one in the time that is left.

        `visit_lead` is how many more visits the most visited move has than the second. Only a budget for the
        average of a game stops early: what it saves is spent on other moves.
        """
        share = self.share
        return (
            self.limit.average
            and share > MIN_TIME_SHARE
            and visit_lead > self.simulations / share - self.simulations
        )

    def take(self, count: int) -> int:
        """Reserve simulations for a thread: return how many of `count` it may run, 0 if none are left.

        Helper threads call this. Together with `batches`, all threads run exactly the given number.
        """
        with self._lock:
            if self.max_simulations is not None:
                count = min(count, self.max_simulations - self.simulations)
            self.simulations += count
        return count

    def batches(
        self, size: int | None = None, *, best: Callable[[], Candidate] | None = None
    ) -> Iterator[int]:
        """Yield how many simulations to run next, until the budget is spent.

        The batches have a fixed `size`, or begin with 1 and then take about `CLOCK_INTERVAL` seconds each.
        The last one is smaller where the number of simulations requires it. `best` returns the best candidate
        so far, which is reported every `INFO_INTERVAL` seconds.
        """
        size_of_next, reported = size or 1, self._started
        while count := self.take(size_of_next):
            started_at = time.monotonic()
            yield count
            now = time.monotonic()
            share = self.share  # once: the last report has to be the one that ends the search
            self.limit.on_progress(share)
            if share >= 1.0 or self.limit.should_stop():
                return
            if best is not None and now - reported >= INFO_INTERVAL:
                reported = now
                self.limit.on_best(best())
            if size is None:
                seconds = CLOCK_INTERVAL if self.is_counted else min(CLOCK_INTERVAL, self.seconds_left)
                size_of_next = max(1, int(seconds * count / max(now - started_at, MIN_BATCH_SECONDS)))

    def stages(self, number: int) -> Iterator[Budget]:
        """Yield at most `number` budgets, one after the other, which share what is left of this one.

        Each reports its progress as that of the whole budget, which goes on from what was spent before.
        Simulations are divided as evenly as possible, and there are no more stages than simulations. A stage
        that takes longer than its share leaves less time for the later ones.
        """
        if self.max_simulations is not None:
            number = min(number, self.max_simulations - self.simulations)
        spent = self.share
        for stage in range(number):

            def report(share: float, stage: int = stage) -> None:
                self.limit.on_progress(spent + (1.0 - spent) * (stage + share) / number)

            simulations = None
            if self.max_simulations is not None:
                simulations = -(-(self.max_simulations - self.simulations) // (number - stage))  # rounded up
            limit = replace(
                self.limit,
                seconds=self.seconds_left / (number - stage),
                simulations=simulations if self.is_counted else None,
                average=False,
                on_progress=report,
            )
            part = Budget(limit, max_simulations=simulations)
            yield part
            self.simulations += part.simulations
