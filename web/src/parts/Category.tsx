/** A category: its family's shape and colour, and its word. */

import { categoryWords, familyOf, type Family } from "../model/families";

const SHAPES: Record<Family, string> = {
  rules: "M1.5 1.5h9v9h-9z",
  design: "M6 0l6 6-6 6-6-6z",
  hazards: "M6 .8L11.8 11H.2z",
  fixes: "M4.2.5h3.6v3.7h3.7v3.6H7.8v3.7H4.2V7.8H.5V4.2h3.7z",
  ops: "M1.6 1.2L4 .2 10.4 6 4 11.8 1.6 10.8 6.4 6z",
  notes: "M11 6A5 5 0 1 1 1 6a5 5 0 0 1 10 0z",
};

/** The path of a family's shape in a square of 12, for drawings as well. */
export function shapePath(family: Family): string {
  return SHAPES[family];
}

export function Shape({ family, size = 10 }: { family: Family; size?: number }) {
  return (
    <svg class={`shape ${family}`} width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      <path d={SHAPES[family]} />
    </svg>
  );
}

export function Category({ name }: { name: string }) {
  return (
    <span class="category">
      <Shape family={familyOf(name)} />
      {categoryWords(name)}
    </span>
  );
}
