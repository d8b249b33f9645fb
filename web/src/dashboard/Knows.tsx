/** What is known, by family and category; each bar leads to its memories. */

import { address } from "../core/router";
import { categoryWords, FAMILIES } from "../model/families";
import type { Facets } from "../model/memory";
import { count } from "../model/time";
import { Shape } from "../parts/Category";

export function Knows({ facets }: { facets: Facets }) {
  const of = facets.category ?? {};
  const most = Math.max(1, ...Object.values(of));
  const families = FAMILIES.map((family) => ({
    ...family,
    total: facets.family?.[family.name] ?? 0,
    known: family.categories.filter((each) => of[each]).sort((one, other) => of[other]! - of[one]!),
  }));
  return (
    <div class="families">
      {families.map((family) => (
        <section key={family.name} aria-label={family.title}>
          <a class="family" href={address("/memories", { q: `is:active family:${family.name}` })}>
            <Shape family={family.name} /> <b>{family.title}</b> <b class="n">{count(family.total)}</b>
          </a>
          {family.known.map((category) => (
            <a key={category} class="bar-row" href={address("/memories", { q: `is:active category:${category}` })}>
              <span class="ellipsis">{categoryWords(category)}</span>
              <span class="bar-room" aria-hidden="true">
                <i class={family.name} style={{ width: `${Math.max(3, (100 * of[category]!) / most)}%` }} />
              </span>
              <span class="n">{count(of[category]!)}</span>
            </a>
          ))}
          {family.total === 0 && <p class="small muted">none yet</p>}
        </section>
      ))}
    </div>
  );
}
