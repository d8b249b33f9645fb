/** The bar at the bottom of a phone. */

import { address, useRoute } from "../core/router";
import { Icon } from "../parts/Icon";
import { useOverview } from "./store-info";
import { VIEWS } from "./views";

export function Tabs({ open, toggle, close }: { open: boolean; toggle: () => void; close: () => void }) {
  const route = useRoute();
  const waiting = Object.values(useOverview().data?.waiting ?? {}).reduce((sum, each) => sum + each, 0);
  return (
    <nav class="tabs" aria-label="Views, short">
      {VIEWS.filter((view) => view.icon).map((view) => (
        <a
          key={view.part}
          href={address(`/${view.part}`)}
          aria-current={!open && (route.parts[0] ?? "") === view.part ? "page" : undefined}
          onClick={close}
        >
          <Icon name={view.icon!} />
          {view.title}
          {view.part === "review" && waiting > 0 && <b aria-label={`${waiting} waiting`}>{waiting}</b>}
        </a>
      ))}
      <button type="button" aria-expanded={open} onClick={toggle}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}
