/** The points of the map, as docs/reference/map.md describes their binary form. */

export interface Points {
  count: number;
  unplaced: number;
  x: Uint16Array;
  y: Uint16Array;
  day: Uint16Array;
  family: Uint8Array;
  score: Int8Array;
  row: Float64Array;
}

export const WIDTH = 65_536;
const HEADER = 32;

export function unpack(buffer: ArrayBuffer): Points {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getUint32(0) !== 0x4d454d4d || view.getUint16(4, true) !== 1)
    throw new Error("The map has a form that this page does not know. Load the page again.");
  const count = view.getUint32(8, true);
  let at = HEADER;
  const wide = () => {
    const column = new Uint16Array(buffer, at, count);
    at += 2 * count;
    return column;
  };
  const [x, y, day] = [wide(), wide(), wide()];
  const family = new Uint8Array(buffer, at, count);
  const score = new Int8Array(buffer, at + count, count);
  const row = rowsOf(new Uint8Array(buffer, at + 2 * count, view.getUint32(16, true)), count);
  return { count, unplaced: view.getUint32(12, true), x, y, day, family, score, row };
}

/** Read ascending numbers from the gaps between them. */
export function rowsOf(bytes: Uint8Array, count: number): Float64Array {
  const rows = new Float64Array(count);
  let row = 0;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    let factor = 1;
    let byte = 128;
    while (byte >= 128) {
      byte = bytes[at] ?? 0;
      at += 1;
      row += (byte & 127) * factor;
      factor *= 128;
    }
    rows[index] = row;
  }
  return rows;
}

const CELLS = 128;
const SHIFT = 9; // 65,536 / 128

/** Points by the cells of a grid, to find those near a place at once. */
export class Grid {
  readonly #starts = new Uint32Array(CELLS * CELLS + 1);
  readonly #order: Uint32Array;

  constructor(readonly points: Points) {
    const { count, x, y } = points;
    const cell = (at: number) => (x[at]! >> SHIFT) * CELLS + (y[at]! >> SHIFT);
    for (let at = 0; at < count; at += 1) this.#starts[cell(at) + 1]! += 1;
    for (let at = 0; at < CELLS * CELLS; at += 1) this.#starts[at + 1]! += this.#starts[at]!;
    const next = this.#starts.slice();
    this.#order = new Uint32Array(count);
    for (let at = 0; at < count; at += 1) this.#order[next[cell(at)]!++] = at;
  }

  /** Call a function with each point of the cells that a rectangle touches. */
  within(left: number, top: number, right: number, bottom: number, visit: (at: number) => void): void {
    const low = (value: number) => Math.max(0, Math.min(CELLS - 1, Math.floor(value) >> SHIFT));
    const last = low(bottom);
    for (let x = low(left); x <= low(right); x += 1)
      for (let slot = this.#starts[x * CELLS + low(top)]!; slot < this.#starts[x * CELLS + last + 1]!; slot += 1)
        visit(this.#order[slot]!);
  }

  /** Return the nearest shown point within a distance, or -1. */
  nearest(x: number, y: number, reach: number, shown: (at: number) => boolean): number {
    let best = -1;
    let least = reach * reach;
    this.within(x - reach, y - reach, x + reach, y + reach, (at) => {
      const apart = (this.points.x[at]! - x) ** 2 + (this.points.y[at]! - y) ** 2;
      if (apart <= least && shown(at)) [best, least] = [at, apart];
    });
    return best;
  }

  /** Return the shown points inside a closed line. */
  inside(line: readonly (readonly [number, number])[], shown: (at: number) => boolean): number[] {
    if (line.length < 3) return [];
    const xs = line.map(([x]) => x);
    const ys = line.map(([, y]) => y);
    const found: number[] = [];
    this.within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (at) => {
      if (shown(at) && isInside(this.points.x[at]!, this.points.y[at]!, line)) found.push(at);
    });
    return found.sort((one, other) => one - other);
  }
}

export function isInside(x: number, y: number, line: readonly (readonly [number, number])[]): boolean {
  let inside = false;
  for (let at = 0, before = line.length - 1; at < line.length; before = at, at += 1) {
    const [ax, ay] = line[at]!;
    const [bx, by] = line[before]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
