import { expect, test } from "vitest";

import type { Memory, Report } from "../src/model/memory";
import { inOrder } from "../src/parts/Tally";
import { choicesOf, favoured, versionsOf, type Waiting } from "../src/review/queue";
import { joined } from "../src/review/useQueue";

const memory = (id: string, more: Partial<Memory> = {}) =>
  ({ id, version: 1, outcome_score: 0, worked: 0, partial: 0, failed: 0, use_count: 0, writer_kind: "agent", status: "active", ...more }) as Memory;
const pair = (newer: Partial<Memory>, older: Partial<Memory>): Waiting => ({
  kind: "conflict",
  reason: "",
  memory: memory("new", newer),
  other: memory("old", older),
  similarity: 0.9,
  offers: ["keep", "merge", "supersede", "archive"],
});
const held = (id: string, version = 1): Waiting => ({
  kind: "held",
  reason: "",
  memory: memory(id, { status: "staged", version }),
  other: null,
  similarity: null,
  offers: ["approve", "edit", "archive"],
});

test("a pair has the keys of mem review, each under the side it is about", () => {
  const choices = choicesOf(pair({}, {}));
  expect(choices.map((each) => each.key).sort()).toEqual(["k", "m", "n", "o", "x", "y"]);
  expect(choices.filter((each) => each.turned).map((each) => each.key)).toEqual(["o", "y"]);
  expect(choicesOf(held("a")).map((each) => each.key)).toEqual(["a", "e", "x"]);
});

test("reports decide what is favoured, then whether a person wrote it, and otherwise nothing", () => {
  expect(favoured(pair({ outcome_score: 0.4 }, { outcome_score: -0.2 }))?.key).toBe("n");
  expect(favoured(pair({}, { outcome_score: 0.4 }))?.key).toBe("o");
  expect(favoured(pair({}, { writer_kind: "person" }))?.key).toBe("o");
  expect(favoured(pair({}, {}))).toBeNull();
  expect(favoured(held("a"))).toBeNull();
});

test("rows keep their places, a changed one is marked, and one that is gone says so", () => {
  const first = joined([], [held("a"), held("b")]);
  const now = joined(first, [held("c"), held("b", 2)]);
  expect(now.map((row) => row.name)).toEqual(["a", "b", "c"]);
  expect(now[0]?.done?.word).toBe("no longer waiting");
  expect(now[1]).toMatchObject({ changed: true });
  expect(versionsOf(now[1]!.item)).toEqual({ b: 2 });
});

test("what this page took back itself is no news, and what others change is", () => {
  const first = joined([], [held("a"), held("b")]);
  const now = joined(first, [held("a", 2), held("b", 2)], ["a"]);
  expect(now.map((row) => Boolean(row.changed))).toEqual([false, true]);
  expect(versionsOf(now[0]!.item)).toEqual({ a: 2 });
});

test("ticks are the reports that count, oldest first, or none while some are missing", () => {
  const report = (at: string, result: Report["result"], counted = true) => ({ at, result, counted }) as Report;
  const reports = [report("2026-03-03", "failed"), report("2026-03-01", "worked"), report("2026-03-02", "failed", false)];
  expect(inOrder({ worked: 1, partial: 0, failed: 1 }, reports)).toEqual(["worked", "failed"]);
  expect(inOrder({ worked: 1, partial: 0, failed: 2 }, reports)).toBeNull();
});
