/** Beside the picture: what its shapes mean, its groups, and the memories in it, for keyboards and screen readers. */

import { address } from "../core/router";
import type { Memory } from "../model/memory";
import { count } from "../model/time";
import { Shape } from "../parts/Category";
import { familyOf } from "../model/families";
import { MemoryText } from "../parts/MemoryText";
import type { Label } from "./labels";
import { KINDS, type By } from "./paint";

export interface MapSideProps {
  by: By;
  counts: readonly number[];
  shown: readonly boolean[];
  toggle: (kind: number) => void;
  labels: readonly Label[];
  /** A memory in the middle of each group. */
  examples: readonly (Memory | undefined)[];
  goTo: (label: Label) => void;
  inPicture: number;
  listed: readonly Memory[];
  chosen: number | null;
  chosenHref: string | null;
  chosenMost: number;
  clear: () => void;
}

export const MOST_GROUPS = 12;

export function MapSide(props: MapSideProps) {
  const { by, counts, shown, labels, listed, chosen } = props;
  const total = chosen ?? props.inPicture;
  return (
    <aside class="map-side" aria-label="What is on the map">
      {chosen !== null && (
        <section class="map-chosen" aria-live="polite">
          <b>{count(chosen)} chosen</b>
          <p class="secondary small">
            {chosen === 0
              ? "No memory lies inside the line."
              : chosen > props.chosenMost
                ? `Memories opens ${count(props.chosenMost)} of them. Zoom in to choose fewer.`
                : "They are listed below."}
          </p>
          <div class="actions">
            {props.chosenHref && (
              <a class="button" href={props.chosenHref}>
                Open in Memories
              </a>
            )}
            <button type="button" class="text-button" onClick={props.clear}>
              Clear
            </button>
          </div>
        </section>
      )}
      <section class="map-kinds">
        <h2>{by === "family" ? "Families" : by === "outcome" ? "Outcomes" : "Age"}</h2>
        <ul>
          {KINDS[by].map((kind, index) => (
            <li key={kind.name}>
              <button type="button" aria-pressed={shown[index]} onClick={() => props.toggle(index)}>
                <svg width="10" height="10" viewBox="0 0 12 12" aria-hidden="true" style={{ fill: `var(--${kind.token})` }}>
                  <path d={kind.path} />
                </svg>
                {kind.title}
                <span class="number">{count(counts[index] ?? 0)}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      {labels.length > 0 && (
        <section class="map-groups">
          <h2>Groups</h2>
          <ul>
            {labels.slice(0, MOST_GROUPS).map((label, index) => (
              <li key={`${label.x} ${label.y}`}>
                <button type="button" onClick={() => props.goTo(label)}>
                  <span class="ellipsis">
                    <span dir="auto">{label.words.slice(0, 3).join(", ")}</span>
                    <span class="ellipsis small muted">
                      <MemoryText text={props.examples[index]?.content ?? ""} line />
                    </span>
                  </span>
                  <span class="number">{count(label.memories)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="map-list">
        <h2>
          {chosen ? "Chosen" : "In view"}
          <span class="muted">
            {listed.length < total && `newest ${count(listed.length)} of `}
            {count(total)}
          </span>
        </h2>
        <ul>
          {listed.map((memory) => (
            <li key={memory.id}>
              <a href={address(`/memories/${memory.id}`)}>
                <Shape family={familyOf(memory.category)} />
                <MemoryText text={memory.content} line />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}
