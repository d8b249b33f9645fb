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
  const linesOf = ({ layer, lines }: ToldPart) => (open ? lines : layer ? lines.slice(0, FEW_LINES) : []);
  const hidden = parts.reduce((sum, part) => sum + part.lines.length - linesOf(part).length, 0);
  const segments = meterOf(told);
  const keyOf = (name: string) => `layer-${Math.min(4, segments.findIndex((each) => each.name === name))}`;
  return (
    <>
      <div class="meter" aria-hidden="true">
        {segments.map((each) => (
          <i key={each.name} class={keyOf(each.name)} style={{ width: `${100 * each.share}%` }} title={each.name} />
        ))}
      </div>
      {told.memories.length === 0 ? (
        <p class="secondary quiet">
          Nothing yet: without a task, agents get only what a person wrote or approved, and what was learned in this
          project. Approve something in Review, or add a rule yourself.
        </p>
      ) : (
        <>
          <div class={open ? "told" : "told few"} dir="auto">
            {parts.map((part, index) => {
              const lines = linesOf(part);
              return (
                lines.length > 0 && (
                  <div key={index}>
                    <div class="layer-name muted">
                      <i class={`key ${keyOf(nameOf(part))}`} aria-hidden="true" /> {nameOf(part)}
                    </div>
                    {lines.map((line, number) => (
                      <div key={number} class="told-line">
                        <Plain text={line} />
                      </div>
                    ))}
                  </div>
                )
              );
            })}
          </div>
          <p class="told-more small muted">
            {(open || hidden > 0) && (
              <button type="button" class="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? "Show less" : `Show the whole text, ${count(hidden)} more lines`}
              </button>
            )}
            {told.left_out > 0 && <span>{count(told.left_out)} more did not fit</span>}
          </p>
        </>
      )}
    </>
  );
}
