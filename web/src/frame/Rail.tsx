/** The rail: project, views with counts, live dot, store and theme. */

import { connection } from "../core/api";
import { liveness } from "../core/live";
import { address, useRoute } from "../core/router";
import { useValue } from "../core/state";
import { nextTheme, theme } from "../core/theme";
import { bytes, count } from "../model/time";
import { Icon } from "../parts/Icon";
import { chooseProject, useOverview, useProjects } from "./store-info";
import { VIEWS } from "./views";

const LIVE_WORDS = {
  live: ["live", "Changes appear by themselves."],
  polling: ["every 5 s", "The server sends no events now; the page asks every 5 seconds."],
  off: ["offline", "The server does not answer."],
  out: ["logged out", "This browser is not logged in."],
} as const;
const THEME_ICONS = { light: "sun", dark: "moon", system: "system" } as const;

export function Rail({ open, close }: { open: boolean; close: () => void }) {
  const route = useRoute();
  const overview = useOverview().data;
  const numbers: Record<string, number | undefined> = {
    memories: overview?.stats.given_out ?? undefined,
    review: overview ? Object.values(overview.waiting).reduce((sum, each) => sum + each, 0) : undefined,
  };
  return (
    <nav class={open ? "rail open" : "rail"} aria-label="Views">
      <a class="brand" href={address("/")} onClick={close}>
        <Mark /> Memory Layer
      </a>
      <ProjectChooser />
      {[0, 1, 2].map((group) => (
        <ul class="rail-views" key={group}>
          {VIEWS.filter((view) => view.group === group).map((view) => {
            const number = numbers[view.part];
            const waits = view.part === "review" && Boolean(number);
            return (
              <li key={view.part}>
                <a
                  href={address(`/${view.part}`)}
                  aria-current={(route.parts[0] ?? "") === view.part ? "page" : undefined}
                  onClick={close}
                >
                  {view.title}
                  {number !== undefined && (waits || view.part !== "review") && (
                    <span class={waits ? "number waiting" : "number"}>
                      {count(number)}
                      {waits && <span class="hidden-text"> waiting</span>}
                    </span>
                  )}
                </a>
              </li>
            );
          })}
        </ul>
      ))}
      <Foot size={overview?.stats.size_bytes} />
    </nav>
  );
}

function Foot({ size }: { size?: number | undefined }) {
  const [reached, heard] = [useValue(connection), useValue(liveness)];
  const now = reached === "gone" ? "off" : reached === "ended" ? "out" : heard;
  const chosen = useValue(theme);
  const [word, about] = LIVE_WORDS[now];
  return (
    <div class="rail-foot">
      <div>
        <span class={`dot ${now === "out" ? "off" : now}`} aria-hidden="true" />
        <span title={about}>{word}</span>
        <button
          type="button"
          class="icon-button"
          onClick={nextTheme}
          aria-label={`Theme: ${chosen}`}
          title={`Theme: ${chosen}. Click for the next: light, dark, as the system has it.`}
        >
          <Icon name={THEME_ICONS[chosen]} />
        </button>
      </div>
      <div>
        <code>memory.db</code>
        <span>{size === undefined ? "" : bytes(size)}</span>
      </div>
    </div>
  );
}

function ProjectChooser() {
  const route = useRoute();
  const projects = useProjects().data?.items ?? [];
  const reach = useOverview().data?.stats;
  const named = route.query.get("p") ?? "";
  const chosen = projects.find((each) => each.name === named || each.key === named)?.id ?? named; // as the server takes it
  const own = reach && !chosen ? (reach.reach === "all" ? "All projects" : (name(projects, reach.project) ?? "Global only")) : "This project";
  return (
    <label class="chooser">
      <span class="hidden-text">Project</span>
      <select value={chosen} onChange={(event) => chooseProject(event.currentTarget.value)}>
        <option value="">{own}</option>
        {projects.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name || each.key}
          </option>
        ))}
        <option value="global">Global only</option>
        <option value="all">All projects</option>
      </select>
      <Icon name="down" />
    </label>
  );
}

function name(projects: { id: string; key: string; name: string }[], wanted: string | null): string | null {
  const found = projects.find((each) => each.key === wanted || each.id === wanted);
  return found?.name ?? wanted;
}

export function Mark() {
  return (
    <svg width="18" height="16" viewBox="0 0 18 16" aria-hidden="true">
      <rect x="0" y="3" width="3" height="6" class="mark-ink" />
      <rect x="5" y="6" width="3" height="3" class="mark-ink" />
      <rect x="10" y="9" width="3" height="5" class="fill-failed" />
      <rect x="15" y="1" width="3" height="8" class="fill-worked" />
    </svg>
  );
}
