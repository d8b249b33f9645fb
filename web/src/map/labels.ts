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

const LETTER = 6.6;
const HEIGHT = 18;
const GAP = 6;
/** Labels in a picture of the whole map; more as it comes closer. */
const MOST = 12;

/** Choose labels that do not cover each other; nearer, they have more words. */
export function placedLabels(labels: readonly Label[], camera: Camera, size: Size, close: boolean): PlacedLabel[] {
  const placed: (PlacedLabel & { width: number })[] = [];
  for (const label of labels) {
    const text = label.words.slice(0, close ? 4 : 2).join(", ");
    const width = text.length * LETTER + 10;
    const [x, y] = toScreen(camera, size, label.x, label.y);
    const outside = x - width / 2 < 0 || x + width / 2 > size.width || y < HEIGHT || y > size.height - HEIGHT;
    const covered = placed.some(
      (other) => Math.abs(other.x - x) < (other.width + width) / 2 + GAP && Math.abs(other.y - y) < HEIGHT + GAP,
    );
    if (placed.length === (close ? 2 * MOST : MOST)) break;
    if (!outside && !covered) placed.push({ label, text, x, y, width });
  }
  return placed;
}
