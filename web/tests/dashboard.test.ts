import { describe, expect, it } from "vitest";

import { meterOf, partsOf, type Told } from "../src/dashboard/figures";
import { dayWords, sharePercent, stepsTo, sumOf } from "../src/model/weeks";

const week = { week: "2026-11-16", added: 0, archived: 0, given: 0 };

describe("the figures of the dashboard", () => {
  it("adds up weeks and says the share that worked", () => {
    const sum = sumOf([
      { ...week, worked: 3, partial: 1, failed: 0 },
      { ...week, worked: 3, partial: 0, failed: 2 },
    ]);
    expect(sum).toEqual({ worked: 6, partial: 1, failed: 2 });
    expect(sharePercent(sum)).toBe(67);
    expect(sharePercent({ worked: 0, partial: 0, failed: 0 })).toBeNull();
  });

  it("takes round steps for an axis, at most four", () => {
    expect(stepsTo(47)).toEqual([20, 40]);
    expect(stepsTo(3)).toEqual([1, 2, 3]);
    expect(stepsTo(0)).toEqual([]);
    for (const most of [1, 7, 19, 133, 5000, 98765]) {
      const steps = stepsTo(most);
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.length).toBeLessThanOrEqual(4);
      expect(steps.at(-1)).toBeLessThanOrEqual(most);
    }
  });

  it("names a day as it is in UTC", () => {
    expect(dayWords("2026-11-02")).toBe("2 Nov");
  });
});

describe("the told text", () => {
  const told: Told = {
    text: "## Memories\n\n- [policy] Ask first (human, aaaaaaaa)\n- [gotcha] Two lines\n  of one memory (bbbbbbbb)\n",
    tokens: 30,
    budget: 60,
    memories: [
      { id: "mem_aaaaaaaaaaaa", layer: "baseline" },
      { id: "mem_bbbbbbbbbbbb", layer: "contextual" },
    ],
    left_out: 0,
    notice: null,
  };

  it("is shown whole, each line in the layer of its memory", () => {
    const parts = partsOf(told);
    expect(parts.flatMap((part) => part.lines).join("\n")).toBe(told.text.trimEnd());
    expect(parts.map((part) => part.layer)).toEqual([null, "baseline", "contextual"]);
  });

  it("fills the share of the budget that its tokens take", () => {
    const filled = meterOf(told).reduce((sum, each) => sum + each.share, 0);
    expect(filled).toBeCloseTo(0.5);
  });
});
