/** A section of the detail: a heading with a short note, a hairline, content. */

import type { ComponentChildren } from "preact";

export function Section({ id, title, note, children }: { id?: string; title: string; note?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="detail-section" id={id}>
      <h2>
        {title} <span class="note">{note}</span>
      </h2>
      {children}
    </section>
  );
}
