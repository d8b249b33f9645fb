// Store a memory, find it, say that it worked, and undo that: `TOKEN=$(cat …/token) node example.ts`

import { MemoryClient, MemoryProblem } from "./client.ts";

declare const process: { env: Record<string, string | undefined> };

const memory = new MemoryClient(process.env["TOKEN"] ?? "", process.env["ADDRESS"]);

const added = await memory.request("POST /api/memories", {
  query: { project: "shop" },
  body: { content: "The till needs Java 21", category: "dependency", tags: ["till"] },
});
console.log(added.status);

const found = await memory.request("GET /api/search", { query: { q: "Java of the till", project: "shop" } });
for (const hit of found.hits) console.log(`${hit.category}: ${hit.content} (${hit.strength})`);

const judged = await memory.request("POST /api/outcomes", { body: { memory_ids: [added.id], result: "worked" } });
console.log(judged.items.map((each) => each.outcome_score));

const { memory: shown } = await memory.request("GET /api/memories/{memory_id}", { path: { memory_id: added.id } });
try {
  await memory.request("PATCH /api/memories/{memory_id}", {
    path: { memory_id: added.id },
    headers: { "If-Match": `"${shown.version + 1}"` },
    body: { content: "The till needs Java 25" },
  });
} catch (error) {
  if (!(error instanceof MemoryProblem)) throw error;
  console.log(error.problem.status, error.problem.code);
}

if (judged.operation !== null) {
  await memory.request("POST /api/operations/{operation}/undo", { path: { operation: judged.operation } });
}
const after = await memory.request("GET /api/memories/{memory_id}", { path: { memory_id: added.id } });
console.log(after.memory.outcome_score);
