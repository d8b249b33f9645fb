"""Give the runs of a store to Agent Lightning as a dataset, and write what they teach as lessons.

Usage: python agent_lightning.py RUNS.jsonl LESSONS.jsonl, in an environment with the package `agentlightning`.
RUNS.jsonl comes from `mem export --training`; `mem import LESSONS.jsonl` puts the lessons up for review.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from statistics import mean
from typing import Any

FEWEST_RUNS = 2  #: of each side before anything is concluded
LEAST_GAIN = 0.3  #: reward with a memory less the reward without it

Run = Mapping[str, Any]


def rewards_of(runs: Sequence[Run]) -> dict[str, float]:
    """Play the runs through a trainer with their recorded rewards; return the reward that it saw for each."""
    lightning: Any = import_module("agentlightning")
    seen: dict[str, float] = {}

    class Replay(lightning.LitAgent):  # type: ignore[misc]  # the package is not installed where types are checked
        def rollout(self, task: Run, resources: Any, rollout: Any) -> float:
            return float(task["reward"])

    class Collect(lightning.FastAlgorithm):  # type: ignore[misc]
        async def run(self, train_dataset: Sequence[Run], val_dataset: Any = None) -> None:
            store = self.get_store()
            await store.add_resources(
                {"prompt": lightning.PromptTemplate(template="{task}", engine="f-string")}
            )
            queued = [await store.enqueue_rollout(input=run, mode="train") for run in train_dataset]
            ids = [each.rollout_id for each in queued]
            while len(await store.wait_for_rollouts(rollout_ids=ids, timeout=1)) < len(ids):
                pass
            for rollout_id, run in zip(ids, train_dataset, strict=True):
                seen[run["id"]] = lightning.find_final_reward(await store.query_spans(rollout_id))

    alone = {"type": "shm", "main_thread": "algorithm"}  # in this process, without a server
    trainer = lightning.Trainer(
        algorithm=Collect(), n_runners=1, tracer=lightning.OtelTracer(), strategy=alone
    )
    trainer.dev(Replay(), train_dataset=runs)
    return seen


def lessons_of(runs: Sequence[Run], rewards: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    """Yield a lesson for each memory whose runs went clearly better with it than without it."""
    used: dict[str, list[Run]] = {}
    unused: dict[str, list[Run]] = {}
    texts: dict[str, str] = {}
    for run in runs:
        for memory in run["memories"]:
            (used if memory["used"] else unused).setdefault(memory["id"], []).append(run)
            if memory["content"]:
                texts[memory["id"]] = memory["content"]
    for memory_id, text in texts.items():
        mine, others = used.get(memory_id, []), unused.get(memory_id, [])
        if min(len(mine), len(others)) < FEWEST_RUNS:
            continue
        reward, baseline = (mean(rewards[run["id"]] for run in side) for side in (mine, others))
        if reward - baseline >= LEAST_GAIN:
            yield {
                "type": "learning",
                "schema_version": 1,
                "content": f"Tasks like {mine[-1]['task']!r} go better with this: {text}",
                "project": mine[-1]["project"],
                "confidence": 0.3,
                "evidence": {
                    "runs": [run["id"] for run in mine],
                    "reward": round(reward, 3),
                    "baseline": round(baseline, 3),
                    "samples": len(mine) + len(others),
                    "method": "mean reward with and without the memory",
                },
            }


def main(runs_file: str, lessons_file: str) -> None:
    runs = [json.loads(line) for line in Path(runs_file).read_text("utf-8").splitlines()]
    rewards = rewards_of(runs)
    lessons = list(lessons_of(runs, rewards))
    Path(lessons_file).write_text("".join(f"{json.dumps(lesson)}\n" for lesson in lessons), "utf-8")
    sys.stdout.write(f"{len(runs)} runs, mean reward {mean(rewards.values()):.2f}, {len(lessons)} lessons\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
