/** The six families of categories: the same table as `mem categories` shows. */

export type Family = "rules" | "design" | "hazards" | "fixes" | "ops" | "notes";

export const FAMILIES: readonly { name: Family; title: string; categories: readonly string[] }[] = [
  {
    name: "rules",
    title: "Rules",
    categories: ["convention", "policy", "preference", "coding_style", "tool_preference"],
  },
  { name: "design", title: "Design", categories: ["architecture", "decision", "pattern", "relationship"] },
  { name: "hazards", title: "Hazards", categories: ["gotcha", "pitfall", "warning"] },
  { name: "fixes", title: "Fixes", categories: ["troubleshooting", "workaround", "learning"] },
  { name: "ops", title: "Ops", categories: ["command", "workflow", "environment", "dependency"] },
  {
    name: "notes",
    title: "Notes",
    categories: ["fact", "observation", "context", "progress", "todo", "general"],
  },
];

const OF = new Map(FAMILIES.flatMap((family) => family.categories.map((each) => [each, family.name])));

export function familyOf(category: string): Family {
  return OF.get(category) ?? "notes";
}

export function categoryWords(category: string): string {
  return category.replaceAll("_", " ");
}
