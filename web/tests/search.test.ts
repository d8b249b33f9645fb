import { describe, expect, it } from "vitest";

import { rowsOf } from "../src/search/Order";
import { axisEnd, barOf, experienceWords, moveOf, ordinal, whyWords } from "../src/model/search";

const signal = (name: string, value: number, share: number) => ({ name, value, share });

describe("the bar of a hit", () => {
  it("puts relevance first and what reports did after it", () => {
    const signals = [signal("semantic", 0.8, 0.6), signal("coverage", 1, 0.2), signal("evidence", 0.7, 0.25)];
    const bar = barOf({ signals, score: 1.05 });
    expect(bar.parts.map((part) => [part.label, part.from, part.value])).toEqual([
      ["meaning", 0, "0.80"],
      ["distinctive words", 0.6, "100 %"],
    ]);
    expect(bar.experience).toBeCloseTo(0.25);
  });

  it("takes away what failed, and the axis holds what was there before", () => {
    const hit = { signals: [signal("semantic", 1, 1.2), signal("same_question", -1, -0.9)], score: 0.3 };
    expect(barOf(hit).experience).toBeCloseTo(-0.9);
    expect(axisEnd([hit])).toBeCloseTo(1.2);
    expect(axisEnd([])).toBe(1);
  });
});

describe("how the order came about", () => {
  it("closes up the places far down, so that none covers another", () => {
    const hit = (id: string, keyword: number | null) => ({ id, ranks: { keyword, semantic: null, together: null, final: null } });
    expect([...rowsOf([hit("a", 1), hit("b", 33), hit("c", 12), hit("d", null)], "keyword")]).toEqual([["a", 1], ["b", 7], ["c", 6]]);
  });
});

describe("the words of a hit", () => {
  it("say how reports moved it", () => {
    expect(moveOf({ keyword: 1, semantic: 1, together: 2, final: 1 })).toEqual({ up: true, words: "up from 2nd" });
    expect(moveOf({ keyword: 1, semantic: 1, together: 1, final: 3 })).toEqual({ up: false, words: "down from 1st" });
    expect(moveOf({ keyword: 1, semantic: 1, together: 1, final: 1 })).toBeNull();
    expect([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal)).toEqual(
      ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]);
  });

  it("tell reports for questions like this one from others", () => {
    const none = { worked: 0, partial: 0, failed: 0, seen: 0 };
    expect(experienceWords({ experience: { ...none, worked: 2, failed: 1 }, worked: 5, partial: 0, failed: 1 })).toBe(
      "worked 2 of 3 times for questions like this");
    expect(experienceWords({ experience: none, worked: 5, partial: 0, failed: 0 })).toBe("no report for a question like this");
    expect(experienceWords({ experience: null, worked: 0, partial: 0, failed: 0 })).toBe("");
  });
});

it("an earlier answer is explained in words: relevance first, then reports", () => {
  const kept = { evidence: 0.6, coverage: 0.257, keyword: 0.61, semantic: 0.4976, phrase: 0, same_question: -0.5, vector_list: 3 };
  const signals = Object.entries(kept).map(([name, value]) => ({ name, value }));
  expect(whyWords(signals)).toEqual([
    "meaning 0.50", "words 0.61", "distinctive words 26 %",
    "reports for questions like this raise it (0.60 of 1)", "reports for this very question lower it (0.50 of 1)",
  ]);
  expect(whyWords([])).toEqual(["how a session ended"]);
  expect(whyWords([{ name: "activation", value: 1.5 }])).toEqual(["weight 1.50"]);
  expect(whyWords([{ name: "relevance", value: 0 }, { name: "write_scope", value: 0 }])).toEqual(["given with every task"]);
});
