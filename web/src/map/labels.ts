/** The words of the groups: the largest that have room in the picture. */

import { toScreen, type Camera, type Size } from "./camera";

export interface Label {
  x: number;
  y: number;
  memories: number;
  words: string[];
}

export interface Labels {
  state: "ready" | "computing" | "outdated" | "no_model";
  sentence: string | null;
  generation: string | null;
  memories: number;
  unplaced: number;
  labels: Label[];
}

export interface PlacedLabel {
  label: Label;
  text: string;
  x: number;
  y: number;
}

/** Count the points in a rectangle of the picture. */
export type Covers = (left: number, top: number, right: number, bottom: number) => number;

const LETTER = 6.6;
const HEIGHT = 18;
const GAP = 6;
/** To keep off points, a label may leave the middle of its group by so many lines, and by so much of its width. */
const LINES = [0, -1, 1, -2, 2, -3, 3];
const SIDEWAYS = [0, -0.4, 0.4];
/** A picture is this wide for each line. */
const LINE_ROOM = 240;
/** What leaving the middle by a line costs, in covered points. */
const LEAVING = 0.4;
/** Labels in a picture of the whole map; more as it comes closer. */
const MOST = 12;

/** Choose labels that do not cover each other, each where it covers the fewest points; nearer, they have more words. */
export function placedLabels(labels: readonly Label[], camera: Camera, size: Size, close: boolean, covers: Covers = () => 0): PlacedLabel[] {
  const placed: (PlacedLabel & { width: number })[] = [];
  for (const label of labels) {
    const text = label.words.slice(0, close ? 4 : 2).join(", ");
    const width = text.length * LETTER + 10;
    const [left, top] = toScreen(camera, size, label.x, label.y);
    if (placed.length === (close ? 2 * MOST : MOST)) break;
    let least = Infinity;
    let best: PlacedLabel | undefined;
    for (const line of LINES.slice(0, 1 + 2 * Math.ceil(size.width / LINE_ROOM - 1)))
      for (const aside of SIDEWAYS) {
        const [x, y] = [left + aside * width, top + line * HEIGHT];
        const outside = x - width / 2 < 0 || x + width / 2 > size.width || y < HEIGHT || y > size.height - HEIGHT;
        const leaving = LEAVING * (Math.abs(line) + Math.abs(aside));
        if (outside || leaving >= least) continue;
        if (placed.some((other) => Math.abs(other.x - x) < (other.width + width) / 2 + GAP && Math.abs(other.y - y) < HEIGHT + GAP)) continue;
        const cost = leaving + covers(x - width / 2, y - HEIGHT / 2, x + width / 2, y + HEIGHT / 2);
        if (cost < least) [least, best] = [cost, { label, text, x, y }];
      }
    if (best) placed.push({ ...best, width });
  }
  return placed;
}
