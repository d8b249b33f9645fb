import { describe, expect, it } from "vitest";

import { actionWords, dayIn, dayWords, isTold, merged, summaryOf, tickOf, type Item, type OperationItem } from "../src/model/timeline";

const operation = (at: string, actions: Record<string, number>, undone = false): Item => ({
  type: "operation", at, id: at,
  operation: { id: at, at, writer: "w", door: "cli", actions, memories: [], undoes: null, undone },
});
const recall = (at: string, kind = "search"): Item => ({
  type: "recall", at, id: `r${at}`,
  recall: { id: `r${at}`, at, query: "q", kind, writer: "w", session: "s", memories: 1, reports: { worked: 0, partial: 0, failed: 0 } },
});

describe("the timeline", () => {
  it("shows only as far back as every list was read", () => {
    const days = merged([
      { items: [operation("2026-03-02T12:00:00Z", { add: 1 }), operation("2026-03-01T12:00:00Z", { add: 1 })], more: false },
      { items: [recall("2026-03-02T11:00:00Z")], more: true },
    ]);
    expect(days.map((day) => [day.items.length, day.complete])).toEqual([[2, false]]);
    expect(merged([{ items: [recall("2026-03-02T11:00:00Z")], more: false }])[0]!.complete).toBe(true);
  });

  it("sums up a day in words", () => {
    const [day] = merged([{ items: [recall("2026-03-02T11:00:00Z"), recall("2026-03-02T10:00:00Z", "warning"),
      operation("2026-03-02T09:00:00Z", { add: 2 }), operation("2026-03-02T08:00:00Z", { outcome: 2 })], more: false }]);
    expect(summaryOf(day!).map((part) => part.words)).toEqual(["1 session", "1 question", "1 report", "2 new memories"]);
  });

  it("leaves out of a day what was undone", () => {
    const [day] = merged([{ items: [operation("2026-03-02T09:00:00Z", { archive: 10 }, true), operation("2026-03-02T08:00:00Z", { archive: 1 })], more: false }]);
    expect(summaryOf(day!).map((part) => part.words)).toEqual(["1 archived"]);
  });

  it("says what an operation did", () => {
    const of = (actions: Record<string, number>) => ({ actions }) as OperationItem;
    expect([of({ add: 1 }), of({ add: 3, archive: 1 }), of({ vanish: 1 })].map(actionWords)).toEqual(["stored", "stored 3, archived 1", "vanish"]);
    expect([of({ outcome: 2, episode: 1 }), of({ outcome: 1, add: 1 })].map(isTold)).toEqual([true, false]);
    expect(tickOf({ worked: 1, partial: 0, failed: 1 })).toBe("failed");
    expect(tickOf({ worked: 0, partial: 0, failed: 0 })).toBeNull();
    expect(dayWords("2020-02-03", new Date("2026-03-02T12:00:00"))).toBe("Monday, 3 February 2020");
  });
});

it("takes only days that there are from an address", () => {
  expect(["2026-03-02", "2026-13-45", "9999-99-99", "today", "", null].map(dayIn)).toEqual(["2026-03-02", null, null, null, null, null]);
});
