/** The text that an agent is told first, literally, by layer, with its share of the budget. */

import { useState } from "preact/hooks";

import { count } from "../model/time";
import { Plain } from "../parts/MemoryText";
import { LAYERS, meterOf, partsOf, type Told } from "./figures";

const SHOWN_LINES = 14;

export function ToldBlock({ told }: { told: Told }) {
  const [open, setOpen] = useState(false);
  const parts = partsOf(told);
  const lines = parts.reduce((sum, part) => sum + part.lines.length, 0);
  let left = open ? Infinity : SHOWN_LINES;
  return (
    <>
      <div class="meter" aria-hidden="true">
        {meterOf(told).map((each, index) => (
          <i key={each.name} class={`layer-${Math.min(index, 4)}`} style={{ width: `${100 * each.share}%` }} title={each.name} />
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
            const shown = part.lines.slice(0, Math.max(0, left));
            left -= part.lines.length;
            if (!shown.length) return null;
            return (
              <div key={index}>
                {part.layer !== null && <div class="layer-name muted">{LAYERS[part.layer] ?? part.layer}</div>}
                <pre>
                  <Plain text={shown.join("\n")} />
                </pre>
              </div>
            );
          })}
          {lines > SHOWN_LINES && (
            <button type="button" class="text-button small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? "Show less" : `${count(lines - SHOWN_LINES)} more lines`}
            </button>
          )}
        </div>
      )}
      {told.left_out > 0 && <p class="small muted">{count(told.left_out)} more did not fit the budget.</p>}
    </>
  );
}
