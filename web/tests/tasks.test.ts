import { describe, expect, it } from "vitest";

import { apiPathOf, matches, pathOf, programOf, refOf, statusWords, type Task } from "../src/tasks/task";
import { parse } from "../src/core/router";

describe("the address of a task", () => {
  it("leads back to the task, whatever its id has in it", () => {
    for (const ref of ["beads:bd-1", "claude:a b/1", "claude:list/todo-x?y#z", "beads:50%/é"]) {
      expect(refOf(parse(pathOf(ref)).parts)).toBe(ref);
      expect(apiPathOf(ref)).not.toMatch(/[?#]/u);
    }
  });
});

describe("a task in words", () => {
  it("names its program", () => {
    expect(programOf({ source: "beads", id: "bd-1" })).toBe("Beads");
    expect(programOf({ source: "claude", id: "1" })).toBe("Claude Code");
    expect(programOf({ source: "claude", id: "todo-1" })).toBe("Claude Code todos");
  });
  it("says its state, or the program's own word", () => {
    expect(statusWords({ status: "in_progress", stated_status: "" })).toBe("in progress");
    expect(statusWords({ status: "other", stated_status: "hooked" })).toBe("hooked");
  });
  it("is found by all words of the filter", () => {
    const task = { title: "Ship the worker", id: "bd-1", status: "open", list: null, labels: ["CI"] } as unknown as Task;
    expect(matches(task, "worker ci")).toBe(true);
    expect(matches(task, "worker nothing")).toBe(false);
  });
});
