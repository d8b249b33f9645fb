// A client for the REST interface of Memory Layer: one method, typed by the paths of the OpenAPI document.
// Copy it together with paths.ts. It needs nothing but `fetch`, so it runs in Node and other runtimes.

import type { Paths, Problem } from "./paths.ts";

type Takes<Path extends keyof Paths> = Paths[Path]["takes"];
type Arguments<Path extends keyof Paths> = {} extends Takes<Path> ? [takes?: Takes<Path>] : [takes: Takes<Path>];

interface Parts {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: object;
}

/** An answer that is no success: `detail` says what is wrong, `next_step` what is safe to do next. */
export class MemoryProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = "MemoryProblem";
    this.problem = problem;
  }
}

export class MemoryClient {
  readonly #address: string;
  readonly #token: string;

  constructor(token: string, address = "http://localhost:8080") {
    this.#address = address;
    this.#token = token;
  }

  /** Call a path, such as `request("GET /api/search", { query: { q: "deploy" } })`. */
  async request<Path extends keyof Paths>(path: Path, ...[takes]: Arguments<Path>): Promise<Paths[Path]["answer"]> {
    const parts: Parts = takes ?? {};
    const [method, template] = path.split(" ", 2) as [string, string];
    const answer = await fetch(this.#address + filled(template, parts.path) + queried(parts.query), {
      method,
      headers: this.#headers(parts),
      body: parts.body === undefined ? null : JSON.stringify(parts.body),
    });
    if (!answer.ok) throw new MemoryProblem((await answer.json()) as Problem);
    return (await read(answer)) as Paths[Path]["answer"];
  }

  #headers(parts: Parts): Headers {
    const headers = new Headers({ Authorization: `Bearer ${this.#token}` });
    if (parts.body !== undefined) headers.set("Content-Type", "application/json");
    for (const [name, value] of Object.entries(parts.headers ?? {})) {
      if (value !== undefined) headers.set(name, value);
    }
    return headers;
  }
}

function filled(template: string, values: Record<string, unknown> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

function queried(values: Record<string, unknown> = {}): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((each) => each !== undefined).map((each) => [name, String(each)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

async function read(answer: Response): Promise<unknown> {
  const kind = answer.headers.get("content-type") ?? "";
  if (answer.status === 204) return undefined;
  if (kind.startsWith("application/json")) return answer.json();
  return kind.startsWith("application/octet-stream") ? answer.arrayBuffer() : answer.text();
}
