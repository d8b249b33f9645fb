/** The objects that the server answers with, as docs/reference/json.md describes them. */

export type Status = "staged" | "active" | "archived";
export type Result = "worked" | "partial" | "failed";
export type CitationState = "fresh" | "moved" | "changed" | "missing" | "unknown";

export interface Citation {
  path: string | null;
  first_line: number | null;
  last_line: number | null;
  commit: string | null;
  excerpt: string | null;
  url: string | null;
  state?: CitationState | string;
  now?: { path: string; first_line: number | null; last_line: number | null };
}

export interface Memory {
  id: string;
  content: string;
  created_at: string;
  updated_at: string;
  category: string;
  tier: string;
  project: string | null;
  scope: string[];
  tags: string[];
  metadata: Record<string, unknown>;
  priority: string;
  source: string;
  writer: string;
  writer_kind: "person" | "agent";
  confidence: number;
  relevance: number;
  outcome_score: number;
  worked: number;
  failed: number;
  partial: number;
  recall_count: number;
  last_recalled_at: string | null;
  use_count: number;
  last_used_at: string | null;
  reinforcement_count: number;
  status: Status;
  reason: string | null;
  reason_detail: string | null;
  expires_at: string | null;
  approved_by: string | null;
  approved_at: string | null;
  citations: Citation[];
  version: number;
}

export interface Page<Item> {
  items: Item[];
  next: string | null;
  total: number | null;
}

export interface MemoryPage extends Page<Memory> {
  failing: string[];
}

export interface Report {
  id: string;
  memory: string;
  result: Result;
  counted: boolean;
  at: string;
  session: string;
  writer: string;
  query: string | null;
  recall: string | null;
  evidence: string | null;
}

export interface Link {
  source: string;
  target: string;
  kind: "supersedes" | "conflicts_with" | "relates_to";
  created_at: string;
}

export interface Details {
  memory: Memory;
  links: Link[];
  outcomes: Report[];
  superseded_by: string | null;
  failing: boolean;
}

export interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

export interface Difference {
  field: string;
  old: unknown;
  new: unknown;
  pieces?: Piece[];
}

export interface Version {
  number: number;
  at: string;
  action: string;
  operation: string;
  undoes: string | null;
  writer: string;
  door: string;
  intact: boolean;
  changes: Difference[];
  memory: Memory;
}

export interface History {
  id: string;
  versions: Version[];
  next: string | null;
}

export interface Stats {
  reach: "project" | "global" | "all";
  project: string | null;
  total: number;
  active: number;
  archived: number;
  staged: number;
  by_family: Record<string, number>;
  by_category: Record<string, number>;
  outcomes: { high: number; neutral: number; low: number };
  average_outcome: number;
  size_bytes: number;
  search_mode: string;
  /** What the list of memories shows: active, neither expired nor replaced; null where it was not counted. */
  given_out: number | null;
}

export interface Overview {
  stats: Stats;
  waiting: Record<string, number>;
  recent_outcomes: Record<string, number>;
}

export interface Project {
  id: string;
  key: string;
  name: string;
  root: string | null;
  memories: number;
  stale: boolean;
}

export interface Session {
  role: string;
  name: string;
  is_person: boolean;
  confirmed_until: string | null;
  has_passphrase: boolean;
  passkeys: number;
  read_only: boolean;
  version: string;
}

export interface Recall {
  id: string;
  at: string;
  query: string;
  door: string;
  writer: string;
  session: string;
  [more: string]: unknown;
}

export type Facets = { total: number | null } & Record<string, Record<string, number>>;
