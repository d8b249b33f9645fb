/** The text that an agent is told first, literally, by layer, with its share of the budget. */

import { useState } from "preact/hooks";

import { count } from "../model/time";
import { Plain } from "../parts/MemoryText";
import { meterOf, nameOf, partsOf, type Told, type ToldPart } from "./figures";

/** Lines of each layer until all are asked for. */
const FEW_LINES = 2;

export function ToldBlock({ told }: { told: Told }) {
  const [open, setOpen] = useState(false);
  const parts = partsOf(told);
  const shownOf = (part: ToldPart) => (open ? part.lines : part.layer === null ? part.lines.slice(0, 0) : part.lines.slice(0, FEW_LINES));
  const hidden = parts.reduce((sum, part) => sum + part.lines.length - part.lines.slice(0, FEW_LINES * Number(part.layer !== null)).length, 0);
  const segments = meterOf(told);
  const places = new Map(segments.map((each, index) => [each.name, Math.min(index, 4)]));
  return (
    <>
      <div class="meter" aria-hidden="true">
        {segments.map((each) => (
          <i key={each.name} class={`layer-${places.get(each.name)}`} style={{ width: `${100 * each.share}%` }} title={each.name} />
        ))}
      </div>
      {told.memories.length === 0 ? (
        <p class="secondary quiet">
          Nothing yet: without a task, agents get only what a person wrote or approved, and what was learned in this
          project. Approve something in Review, or add a rule yourself.
        </p>
      ) : (
        <div class="told" dir="auto">
          {parts.map((part, index) => {
            const name = nameOf(part);
            return (
              <div key={index}>
                {name && (
                  <div class="layer-name muted">
                    <i class={`key layer-${places.get(name)}`} aria-hidden="true" /> {name}
                  </div>
                )}
                {shownOf(part).map((line, number) => (
                  <div key={number} class="told-line">
                    <Plain text={line} />
                  </div>
                ))}
              </div>
            );
          })}
          {hidden > 0 && (
            <button type="button" class="text-button small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? "Show less" : `Show the whole text, ${count(hidden)} more lines`}
            </button>
          )}
        </div>
      )}
      {told.left_out > 0 && <p class="small muted">{count(told.left_out)} more did not fit the budget.</p>}
    </>
  );
}
