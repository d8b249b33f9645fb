import { describe, expect, it } from "vitest";

import { joinWeeks, type Week } from "../src/model/insights";

const week = (name: string, worked: number): Week => ({
  week: name, questions: worked, right: worked, right_without: 0, reports: { worked, partial: 0, failed: 0 },
});

describe("charts of weeks", () => {
  it("join weeks that have no room, the newest ones complete", () => {
    const joined = joinWeeks([week("a", 1), week("b", 2), week("c", 3)], 2);
    expect(joined.map((each) => [each.week, each.reports.worked])).toEqual([["a", 1], ["b", 5]]);
    expect(joinWeeks([week("a", 1)], 2)).toHaveLength(1);
    expect(joinWeeks(Array.from({ length: 52 }, (_, index) => week(String(index), 1)), 26).map((each) => each.questions)).toEqual(Array(26).fill(2));
  });
});
