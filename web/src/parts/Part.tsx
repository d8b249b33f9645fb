/** A part of a view: a heading, a hairline, content; a chart can be shown as numbers. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface PartProps {
  title: string;
  /** A few words after the title. */
  about?: ComponentChildren;
  /** At the right end of the heading. */
  aside?: ComponentChildren;
  /** The content as a table. */
  numbers?: ComponentChildren;
  /** Below the content. */
  note?: ComponentChildren;
  children: ComponentChildren;
}

export function Part({ title, about, aside, numbers, note, children }: PartProps) {
  const [asNumbers, setAsNumbers] = useState(false);
  return (
    <section class="section">
      <div class="heading">
        <h2>{title}</h2>
        <span class="about">{about}</span>
        <span class="aside">
          {numbers && (
            <button type="button" class="text-button" aria-pressed={asNumbers} onClick={() => setAsNumbers(!asNumbers)}>
              {asNumbers ? "Show the chart" : "Show numbers"}
            </button>
          )}{" "}
          {aside}
        </span>
      </div>
      {asNumbers ? numbers : children}
      {note && <p class="small muted part-note">{note}</p>}
    </section>
  );
}

/** The numbers of a chart: the first cell of a row names it. */
export function Numbers({ heads, rows }: { heads: string[]; rows: (string | number)[][] }) {
  return (
    <div class="numbers" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={index} class={cell ? undefined : "muted"}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
