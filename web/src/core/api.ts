/** Requests to the server: typed, de-duplicated, and with one kind of error. */

import { confirmation, confirmPerson } from "./confirm";
import { route } from "./router";
import { state } from "./state";

export interface ProblemDetails {
  status: number;
  code: string;
  detail: string;
  next_step: string;
  request_id?: string;
  [more: string]: unknown;
}

/** A refused or failed request, as the server's problem+json says it. */
export class Problem extends Error {
  constructor(readonly details: ProblemDetails) {
    super(details.detail);
  }
  get code(): string {
    return this.details.code;
  }
  /** What failed and what to do next, as sentences. */
  get words(): string {
    return [this.details.detail, this.details.next_step].filter(Boolean).map(sentence).join(" ");
  }
}

export function sentence(text: string): string {
  const begun = /^[a-z'’-]+[\s,:;]/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text; // an id or a path stays as it is
  return /[.!?…]$/u.test(begun) ? begun : `${begun}.`;
}

/** `gone`: no answer; writes are held off until the server is back. */
export type Connection = "ok" | "gone" | "ended";
export const connection = state<Connection>("ok");
/** Did the server answer this page anything yet? Without that there is nothing to stay readable. */
export const answered = state(false);

export type Params = Record<string, string | number | boolean | null | undefined | readonly string[]>;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const BUSY_RETRIES = 4;
const underway = new Map<string, Promise<Answer<unknown>>>();

export interface Answer<Body> {
  body: Body;
  etag: string | null;
  operation: string | null;
}

/** Write the address of a request; a list is repeated. */
export function apiAddress(path: string, params: Params = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** The parameters that name the project chosen in the address. */
export function inProject(project: string | null = route.get().query.get("p")): Params {
  if (!project) return {};
  if (project === "all") return { all: true };
  if (project === "global") return { global: true };
  return { project };
}

/** Read; a request that is already under way is shared. */
export function read<Body>(path: string, params: Params = {}, signal?: AbortSignal): Promise<Body> {
  return readWhole<Body>(path, params, signal).then((answer) => answer.body);
}

export function readWhole<Body>(path: string, params: Params = {}, signal?: AbortSignal): Promise<Answer<Body>> {
  const url = apiAddress(path, params);
  if (signal) return request<Body>("GET", url, undefined, {}, signal);
  let shared = underway.get(url) as Promise<Answer<Body>> | undefined;
  if (!shared) {
    const mine: Promise<Answer<Body>> = request<Body>("GET", url, undefined, {}).finally(() => {
      if (underway.get(url) === mine) underway.delete(url);
    });
    underway.set(url, mine as Promise<Answer<unknown>>);
    shared = mine;
  }
  return shared;
}

/** Fetch bytes, such as the map's. */
export async function readBytes(path: string, params: Params = {}, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await send("GET", apiAddress(path, params), undefined, {}, signal)).arrayBuffer();
}

export interface WriteOptions {
  params?: Params;
  /** Change only this version; another one answers 412 with both. */
  ifMatch?: number;
  headers?: Record<string, string>;
  /** Ask a person to confirm where the server wants that; default true. */
  asks?: boolean;
}

/** Write; a person is asked to confirm where the server wants that. */
export async function write<Body>(
  method: Exclude<Method, "GET">,
  path: string,
  body?: unknown,
  { params = {}, ifMatch, headers = {}, asks = true }: WriteOptions = {},
): Promise<Answer<Body>> {
  if (connection.get() === "gone")
    throw new Problem({
      status: 0,
      code: "server_gone",
      detail: "The server does not answer, so nothing was sent.",
      next_step: "Start `mem serve` again; this page goes on by itself.",
    });
  const url = apiAddress(path, params);
  const more = { ...headers, ...(ifMatch === undefined ? {} : { "If-Match": `"${ifMatch}"` }) };
  try {
    return await request<Body>(method, url, body, more);
  } catch (problem) {
    if (!asks || !(problem instanceof Problem) || problem.code !== "needs_confirmation") throw problem;
    const confirmed = await confirmPerson({ method, path: url, body }, problem);
    if (!confirmed) throw problem;
    return await request<Body>(method, url, body, { ...more, ...confirmed });
  } finally {
    underway.clear(); // what was asked before this change is no answer after it
  }
}

/** Read something as a person, who is asked to confirm first; null if they declined. */
export async function readAsPerson<Body>(path: string, params: Params, detail: string): Promise<Body | null> {
  const url = apiAddress(path, params);
  const problem = new Problem({ status: 403, code: "needs_confirmation", detail, next_step: "" });
  const confirmed = await confirmPerson({ method: "GET", path: url, body: undefined }, problem);
  return confirmed && (await request<Body>("GET", url, undefined, confirmed)).body;
}

async function request<Body>(
  method: Method,
  url: string,
  body: unknown,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer<Body>> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await send(method, url, body, headers, signal);
      const text = await response.text();
      return {
        body: (text ? JSON.parse(text) : null) as Body,
        etag: response.headers.get("ETag"),
        operation: response.headers.get("Memory-Operation"),
      };
    } catch (problem) {
      const busy = problem instanceof Problem && problem.code === "store_busy";
      if (!busy || attempt >= BUSY_RETRIES) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
    }
  }
}

async function send(
  method: Method,
  url: string,
  body: unknown,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { ...confirmation(), ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      signal,
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    connection.set("gone");
    throw new Problem({
      status: 0,
      code: "server_gone",
      detail: "The server does not answer.",
      next_step: "Start `mem serve` again; this page goes on by itself.",
    });
  }
  if (response.status === 401) connection.set("ended");
  else if (connection.get() !== "ok") connection.set("ok");
  if (!response.ok) throw await problemOf(response);
  answered.set(true);
  return response;
}

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  let told: Partial<ProblemDetails> = {};
  try {
    told = JSON.parse(text) as Partial<ProblemDetails>;
  } catch {
    // not a problem of this server's: its status is all there is
  }
  const id = response.headers.get("Request-Id");
  return new Problem({
    code: "unexpected",
    detail: response.statusText || `The server answered ${response.status}.`,
    next_step: "",
    ...told,
    ...(id ? { request_id: id } : {}),
    status: response.status,
  });
}

/** Ask until the server answers again. */
export function awaitServer(): () => void {
  let timer = 0;
  const ask = async () => {
    if (connection.get() === "gone") {
      try {
        const answer = await fetch("/health", { cache: "no-store" });
        if (answer.ok) connection.set("ok");
      } catch {
        // still gone
      }
    }
    timer = window.setTimeout(ask, 1500);
  };
  timer = window.setTimeout(ask, 1500);
  return () => clearTimeout(timer);
}

