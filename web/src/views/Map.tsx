/** The memories as a picture: near means alike. */

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { apiAddress, Problem, read, readBytes, type Params } from "../core/api";
import { onChange } from "../core/live";
import { address, go, setQuery } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import type { Labels } from "../map/labels";
import "../map/map.css";
import { MapCanvas } from "../map/MapCanvas";
import { MapSide, MOST_GROUPS } from "../map/MapSide";
import { kindsOf, KINDS, type By } from "../map/paint";
import { Grid, unpack, WIDTH } from "../map/points";
import type { Memory } from "../model/memory";
import { count } from "../model/time";
import { shortId } from "../model/words";
import { Category } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";
import { Empty, Failed, GreyLines } from "../parts/states";
import { Tally } from "../parts/Tally";
import { ViewPage } from "../parts/ViewPage";

const LISTED = 40;
const MOST_CHOSEN = 200;
const HOVER_MS = 70;
const AGAIN_MS = 2000;
const CHANGED_MS = 4000;
const WAYS: readonly (readonly [By, string])[] = [
  ["family", "Family"],
  ["outcome", "Outcome"],
  ["age", "Age"],
];

interface MapMemories {
  items: { row: number; memory: Memory }[];
}

export default function MapView({ route }: ViewProps) {
  const asked = route.query.get("by");
  const by: By = asked === "outcome" || asked === "age" ? asked : "family";
  const project = useProject();
  const labels = useRead<Labels>("/api/map/labels", project, { live: false });
  const { grid, problem } = usePoints(project, labels.data, labels.reload);
  const [lasso, setLasso] = useState(false);
  const state = labels.data?.state;
  const failure = problem ?? labels.problem;
  return (
    <ViewPage
      title="Map"
      json={apiAddress("/api/map/labels", project)}
      padded={false}
      controls={
        <>
          <div class="choices" role="group" aria-label="Colour and shape by">
            {WAYS.map(([way, title]) => (
              <button key={way} type="button" aria-pressed={by === way} onClick={() => setQuery({ by: way === "family" ? null : way })}>
                {title}
              </button>
            ))}
          </div>
          <button type="button" class="button" aria-pressed={lasso} title="Draw a line around memories; Shift and drag does the same" onClick={() => setLasso(!lasso)}>
            {lasso ? "Lasso is on" : "Lasso"}
          </button>
        </>
      }
    >
      {failure && !(grid && labels.data) ? (
        <Failed problem={failure} retry={labels.reload} />
      ) : !grid || !labels.data ? (
        labels.slow && <GreyLines />
      ) : state === "no_model" ? (
        <Empty title="The map needs the embedding model" command="mem model install">
          <p>It places memories by what they mean. Install the model once, then compute the vectors with <code>mem embed</code>.</p>
        </Empty>
      ) : grid.points.count === 0 && (state === "ready" || !labels.data.unplaced) ? (
        <Empty title="Nothing to draw yet" command={labels.data.unplaced ? "mem embed" : 'mem add "…"'}>
          <p>{labels.data.unplaced ? "The memories here have no vectors yet." : "Active memories appear here, those alike in meaning near each other."}</p>
        </Empty>
      ) : grid.points.count === 0 ? (
        <Empty title={labels.data.unplaced ? `Placing ${count(labels.data.unplaced)} memories` : "Placing the memories"}>
          <p>{labels.data.sentence} This page shows them as soon as they are there.</p>
        </Empty>
      ) : (
        <Picture key={JSON.stringify(project)} grid={grid} by={by} labels={labels.data} lasso={lasso} endLasso={() => setLasso(false)} project={project} />
      )}
    </ViewPage>
  );
}

/** Read the points, again while they are computed and after changes. */
function usePoints(project: Params, labels: Labels | null, reload: () => void) {
  const [grid, setGrid] = useState<Grid | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const url = apiAddress("/api/map", project);
  useEffect(() => {
    const stop = new AbortController();
    readBytes("/api/map", project, stop.signal).then(
      (buffer) => {
        setGrid(new Grid(unpack(buffer)));
        setProblem(null);
      },
      (failure: unknown) => {
        if (failure instanceof Problem) setProblem(failure);
        else if (!stop.signal.aborted) throw failure;
      },
    );
    return () => stop.abort();
  }, [url, labels]);
  const waits = labels?.state === "computing";
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [waits, labels]);
  useEffect(() => {
    let timer = 0;
    const unwatch = onChange(() => {
      timer ||= window.setTimeout(() => {
        timer = 0;
        reload();
      }, CHANGED_MS);
    });
    return () => {
      unwatch();
      clearTimeout(timer);
    };
  }, [reload]);
  return { grid, problem };
}

interface PictureProps {
  grid: Grid;
  by: By;
  labels: Labels;
  lasso: boolean;
  endLasso: () => void;
  project: Params;
}

function Picture({ grid, by, labels, lasso, endLasso, project }: PictureProps) {
  const { points } = grid;
  const kinds = useMemo(() => kindsOf(points, by), [points, by]);
  const counts = useMemo(() => {
    const sums = KINDS[by].map(() => 0);
    for (const kind of kinds) sums[kind]! += 1;
    return sums;
  }, [kinds, by]);
  const [hidden, setHidden] = useState<Record<string, boolean>>({});
  const shown = useMemo(() => KINDS[by].map((kind) => !hidden[kind.name]), [by, hidden]);
  const [inPicture, setInPicture] = useState<number[]>([]);
  const [rows, setRows] = useState<ReadonlySet<number> | null>(null); // of the chosen memories: places change, rows stay
  const chosen = useMemo(() => {
    if (!rows) return null;
    const found: number[] = [];
    for (let at = 0; at < points.count; at += 1) if (rows.has(points.row[at]!)) found.push(at);
    return found;
  }, [rows, points]);
  const chosenSet = useMemo(() => (chosen ? new Set(chosen) : null), [chosen]);
  const [goal, setGoal] = useState<{ label: Labels["labels"][number] } | null>(null);
  const fetchRows = useRows(project);
  const places = chosen ?? inPicture;
  const { items: listed, of } = useListed(places, points.row, fetchRows, chosen ? MOST_CHOSEN : LISTED);
  const [tip, setTip] = useTip(points.row, fetchRows);
  const [examples, setExamples] = useState<(Memory | undefined)[]>([]);
  useEffect(() => {
    const middles = labels.labels.slice(0, MOST_GROUPS).map(({ x, y }) => points.row[grid.nearest(x, y, WIDTH, () => true)]!);
    fetchRows(middles).then(setExamples, () => undefined); // the frame says that the server is gone
  }, [grid, labels, fetchRows]);

  return (
    <div class="map">
      <div class="map-stage">
        {labels.sentence && (
          <p class="map-notice" role="status">
            {labels.unplaced > 0 && <b>{count(labels.unplaced)} not placed yet. </b>}
            {labels.sentence}
          </p>
        )}
        <MapCanvas
          grid={grid}
          by={by}
          kinds={kinds}
          shown={shown}
          labels={labels.labels}
          chosen={chosenSet}
          lasso={lasso}
          goal={goal?.label ?? null}
          onHover={setTip}
          onOpen={(at) => void fetchRows([points.row[at]!]).then(([memory]) => memory && go(address(`/memories/${memory.id}`)))}
          onChosen={(found) => {
            setRows(new Set(found.map((at) => points.row[at]!)));
            endLasso();
          }}
          onRest={setInPicture}
        />
        {tip && (
          <div class="map-tip" style={{ left: `${tip.x}px`, top: `${tip.y}px` }}>
            <Category name={tip.memory.category} />
            <MemoryText text={tip.memory.content} line />
            <Tally counts={tip.memory} />
          </div>
        )}
        <p class="map-note">
          <span>Near means alike; the axes mean nothing.</span>
          <span>
            {count(points.count)} {points.count === 1 ? "memory" : "memories"}
          </span>
        </p>
      </div>
      <MapSide
        by={by}
        counts={counts}
        shown={shown}
        toggle={(kind) => setHidden({ ...hidden, [KINDS[by][kind]!.name]: shown[kind] === true })}
        labels={labels.labels}
        examples={examples}
        goTo={(label) => setGoal({ label: { ...label } })}
        inPicture={inPicture.length}
        listed={listed}
        chosen={chosen?.length ?? null}
        chosenHref={chosen?.length && of === places ? address("/memories", { q: `id:${listed.map((each) => shortId(each.id)).join(",")}` }) : null}
        chosenMost={MOST_CHOSEN}
        clear={() => setRows(null)}
      />
    </div>
  );
}

type FetchRows = (rows: readonly number[]) => Promise<(Memory | undefined)[]>;

/** Read memories by their rows, and keep them for the next time. */
function useRows(project: Params): FetchRows {
  const known = useRef(new Map<number, Memory>());
  useEffect(() => onChange(() => known.current.clear()), []);
  return useCallback(
    async (rows) => {
      const missing = rows.filter((row) => !known.current.has(row));
      if (missing.length) {
        const { items } = await read<MapMemories>("/api/map/memories", { ...project, row: missing.map(String) });
        for (const { row, memory } of items) known.current.set(row, memory);
      }
      return rows.map((row) => known.current.get(row));
    },
    [JSON.stringify(project)],
  );
}

function useListed(places: readonly number[], row: Float64Array, fetchRows: FetchRows, most: number) {
  const [listed, setListed] = useState<{ items: Memory[]; of: readonly number[] | null }>({ items: [], of: null });
  useEffect(() => {
    let current = true;
    fetchRows(newest(places, most).map((at) => row[at]!)).then(
      (found) => current && setListed({ items: found.filter((each) => each !== undefined), of: places }),
      () => undefined, // the frame says that the server is gone
    );
    return () => {
      current = false;
    };
  }, [places, row, fetchRows, most]);
  return listed;
}

/** The last stored come first. */
function newest(places: readonly number[], most: number): number[] {
  return places.toSorted((one, other) => other - one).slice(0, most);
}

interface Tip {
  memory: Memory;
  x: number;
  y: number;
}

const TIP_WIDTH = 292;

function useTip(row: Float64Array, fetchRows: FetchRows) {
  const [tip, setTip] = useState<Tip | null>(null);
  const latest = useRef({ at: -1, timer: 0 });
  const hover = (at: number, x: number, y: number) => {
    if (at === latest.current.at) return;
    clearTimeout(latest.current.timer);
    latest.current.at = at;
    setTip(null);
    if (at < 0) return;
    latest.current.timer = window.setTimeout(() => {
      fetchRows([row[at]!]).then(
        ([memory]) => {
          if (memory && latest.current.at === at) setTip({ memory, x: x > TIP_WIDTH + 20 ? x - TIP_WIDTH : x + 14, y: y + 14 });
        },
        () => undefined,
      );
    }, HOVER_MS);
  };
  return [tip, hover] as const;
}
