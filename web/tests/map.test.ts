import { describe, expect, it } from "vitest";

import { around, closestFor, moved, toMap, toScreen, whole, zoomed } from "../src/map/camera";
import { placedLabels } from "../src/map/labels";
import { channels, kindsOf } from "../src/map/paint";
import { Grid, isInside, rowsOf, unpack, type Points } from "../src/map/points";

const SIZE = { width: 800, height: 600 };

function packed(points: [x: number, y: number, day: number, family: number, score: number][], rows: number[]): ArrayBuffer {
  const buffer = new ArrayBuffer(32 + 8 * points.length + rows.length);
  const view = new DataView(buffer);
  view.setUint32(0, 0x4d454d4d);
  view.setUint16(4, 1, true);
  view.setUint32(8, points.length, true);
  view.setUint32(12, 5, true);
  view.setUint32(16, rows.length, true);
  const wide = (column: number) => points.forEach((point, at) => view.setUint16(32 + 2 * (column * points.length + at), point[column]!, true));
  [0, 1, 2].forEach(wide);
  const after = 32 + 6 * points.length;
  points.forEach((point, at) => view.setUint8(after + at, point[3]));
  points.forEach((point, at) => view.setInt8(after + points.length + at, point[4]));
  new Uint8Array(buffer).set(rows, after + 2 * points.length);
  return buffer;
}

const THREE = packed(
  [
    [0, 65_535, 20_000, 2, -100],
    [30_000, 30_000, 20_400, 5, 0],
    [30_100, 30_050, 20_405, 0, 78],
  ],
  [1, 130, 1, 7],
);

describe("the binary form", () => {
  it("is read column by column", () => {
    const points = unpack(THREE);
    expect([points.count, points.unplaced]).toEqual([3, 5]);
    expect([...points.x]).toEqual([0, 30_000, 30_100]);
    expect([...points.y]).toEqual([65_535, 30_000, 30_050]);
    expect([...points.family]).toEqual([2, 5, 0]);
    expect([...points.score]).toEqual([-100, 0, 78]);
    expect([...points.row]).toEqual([1, 131, 138]);
  });
  it("has rows of any size", () => {
    expect([...rowsOf(new Uint8Array([0x80, 0x80, 0x80, 0x80, 0x10, 1]), 2)]).toEqual([2 ** 32, 2 ** 32 + 1]);
  });
  it("is refused if it is not known", () => {
    expect(() => unpack(new ArrayBuffer(40))).toThrow("does not know");
  });
});

describe("points near a place", () => {
  const grid = new Grid(unpack(THREE));
  it("are found by the grid", () => {
    expect(grid.nearest(30_090, 30_040, 500, () => true)).toBe(2);
    expect(grid.nearest(30_090, 30_040, 500, (at) => at !== 2)).toBe(1);
    expect(grid.nearest(10_000, 10_000, 500, () => true)).toBe(-1);
  });
  it("are found inside a line", () => {
    const line = [[29_000, 29_000], [31_000, 29_000], [31_000, 31_000], [29_000, 31_000]] as const;
    expect(grid.inside(line, () => true)).toEqual([1, 2]);
    expect(grid.inside(line.slice(0, 2), () => true)).toEqual([]);
    expect(isInside(30_000, 32_000, line)).toBe(false);
  });
});

describe("the camera", () => {
  it("shows the whole map first", () => {
    const [x, y] = toScreen(whole(SIZE), SIZE, 32_768, 32_768);
    expect([x, y]).toEqual([400, 300]);
  });
  it("zooms around the pointer", () => {
    const camera = whole(SIZE);
    const before = toMap(camera, SIZE, 500, 200);
    const after = toMap(zoomed(camera, SIZE, 3, [500, 200]), SIZE, 500, 200);
    expect(after[0]).toBeCloseTo(before[0], 3);
    expect(after[1]).toBeCloseTo(before[1], 3);
  });
  it("never leaves the map", () => {
    expect(moved(whole(SIZE), 1e6, 1e6)).toMatchObject({ x: 0, y: 0 });
    expect(around(SIZE, 40_000, 10).scale).toBeGreaterThan(whole(SIZE).scale);
  });
});

describe("kinds and colours", () => {
  const points = unpack(THREE) as Points;
  it("are told by outcome and age", () => {
    expect([...kindsOf(points, "outcome")]).toEqual([1, 2, 0]);
    expect([...kindsOf(points, "age", 20_407)]).toEqual([3, 0, 0]);
  });
  it("are read as a browser writes them", () => {
    expect(channels("rgb(42, 85, 201)")).toEqual([42, 85, 201]);
    expect(channels("color(srgb 1 0.5 0)")).toEqual([255, 128, 0]);
  });
});

describe("labels", () => {
  it("never cover each other", () => {
    const labels = Array.from({ length: 40 }, (_, index) => ({ x: 30_000 + 10 * index, y: 30_000, memories: 3, words: ["one", "two", "three"] }));
    const placed = placedLabels(labels, whole(SIZE), SIZE, false);
    expect(placed[0]).toMatchObject({ label: labels[0], text: "one, two" });
    expect(placed.length).toBeLessThan(labels.length);
    for (const [at, one] of placed.entries())
      for (const other of placed.slice(0, at)) expect(Math.abs(one.y - other.y) >= 18 || Math.abs(one.x - other.x) >= 60).toBe(true);
  });
  it("keep off points if there is room near by, and stay in the middle otherwise", () => {
    const label = { x: 32_768, y: 32_768, memories: 3, words: ["one"] };
    const middle = (_left: number, top: number, _right: number, bottom: number) => (top < 300 && bottom > 300 ? 3 : 0);
    const [placed] = placedLabels([label], whole(SIZE), SIZE, false, middle);
    expect([placed!.x, Math.abs(placed!.y - 300)]).toEqual([400, 18]);
    const [stays] = placedLabels([label], whole(SIZE), SIZE, false, () => 3);
    expect([stays!.x, stays!.y]).toEqual([400, 300]);
  });
});

describe("how close it gets", () => {
  it("depends on how many points there are", () => {
    expect([10, 10_000, 1_000_000].map(closestFor)).toEqual([8, 150, 240]);
  });
});
