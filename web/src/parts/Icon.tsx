/** Line icons on a grid of 16. */

const PATHS = {
  search: "M11.4 7a4.4 4.4 0 1 1-8.8 0 4.4 4.4 0 0 1 8.8 0zM10.4 10.4l3.2 3.2",
  down: "M5 6.5l3 3 3-3",
  up: "M5 9.5l3-3 3 3",
  close: "M4 4l8 8M12 4l-8 8",
  sun: "M10.8 8a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0zM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M3.5 12.5l1.1-1.1M11.4 4.6l1.1-1.1",
  moon: "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z",
  system: "M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13",
  edit: "M3 13l.6-2.6L11 3l2 2-7.4 7.4z",
  archive: "M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M6.5 9h3",
  restore: "M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M8 11.5v-3M6.5 9.6L8 8.1l1.5 1.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  home: "M2.5 7.5L8 3l5.5 4.5V13h-4V9.5h-3V13h-4z",
  list: "M3 4h10M3 8h10M3 12h10",
  inbox: "M2.5 9.5l2-6h7l2 6V13h-11zM2.5 9.5h3.2a2.4 2.4 0 0 0 4.6 0h3.2",
  check: "M3.5 8.5l3 3 6-7",
  back: "M9.5 4l-4 4 4 4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} stroke-width={name === "more" ? 2.4 : undefined} />
    </svg>
  );
}
