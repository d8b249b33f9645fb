/** The picture: zoom, pan, hover and lasso with a mouse, fingers or keys. */

import { useEffect, useRef, useState } from "preact/hooks";

import { colour, onTheme } from "../core/theme";
import { around, closestFor, moved, toMap, whole, zoomed, type Camera, type Size } from "./camera";
import { placedLabels, type Label } from "./labels";
import { channels, KINDS, MOST_SHAPES, Painter, type By, type Scene } from "./paint";
import type { Grid } from "./points";

export interface MapCanvasProps {
  grid: Grid;
  by: By;
  kinds: Uint8Array;
  shown: readonly boolean[];
  labels: readonly Label[];
  chosen: ReadonlySet<number> | null;
  lasso: boolean;
  /** A group to go to; a new object goes there again. */
  goal: Label | null;
  onHover: (at: number, x: number, y: number) => void;
  onOpen: (at: number) => void;
  onChosen: (points: number[]) => void;
  /** After the picture stood still for a moment. */
  onRest: (inPicture: number[]) => void;
}

const REACH = 10;
const REST_MS = 250;
const STEP = 60;
const CLICK = 4; // pixels that a click may move

export function MapCanvas(props: MapCanvasProps) {
  const { grid, by, kinds, shown, labels, chosen, lasso, goal } = props;
  const closest = closestFor(grid.points.count);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [camera, setCamera] = useState<Camera | null>(null);
  const [line, setLine] = useState<[number, number][]>([]);
  const [theme, setTheme] = useState(0);
  const painter = useRef<Painter | null>(null);
  const pointers = useRef(new Map<number, [number, number]>());
  const travelled = useRef(0);
  const [inPicture, setInPicture] = useState<number | null>(null);

  useEffect(() => onTheme(() => setTheme((n) => n + 1)), []);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
    });
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);
  const fitted = useRef(0); // the scale at which all of the map was shown
  useEffect(() => {
    if (!size?.width) return;
    const all = whole(size);
    const before = fitted.current;
    setCamera((now) => (now && now.scale !== before ? now : all));
    fitted.current = all.scale;
  }, [size]);
  useEffect(() => {
    if (!goal || !size) return;
    setCamera(around(size, goal.x, goal.y));
    box.current!.scrollIntoView({ block: "nearest" });
  }, [goal]);

  useEffect(() => {
    if (!size || !camera || !canvas.current) return;
    const frame = requestAnimationFrame(() => {
      painter.current ??= new Painter(canvas.current!);
      const scene: Scene = {
        grid,
        kinds,
        shown,
        chosen,
        colours: KINDS[by].map((each) => channels(colour(each.token))),
        paths: KINDS[by].map((each) => each.path),
        page: channels(colour("page")),
      };
      const many = painter.current.paint(scene, camera, size, Math.min(2, devicePixelRatio));
      setInPicture(many);
    });
    return () => cancelAnimationFrame(frame);
  }, [grid, by, kinds, shown, chosen, camera, size, theme]);

  useEffect(() => {
    if (!size || !camera) return;
    const timer = setTimeout(() => {
      const found: number[] = [];
      const [left, top] = toMap(camera, size, 0, 0);
      const [right, bottom] = toMap(camera, size, size.width, size.height);
      const { x, y } = grid.points;
      grid.within(left, top, right, bottom, (at) => {
        if (shown[kinds[at]!] && x[at]! >= left && x[at]! <= right && y[at]! >= top && y[at]! <= bottom) found.push(at);
      });
      props.onRest(found);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [grid, kinds, shown, camera, size]);

  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      if (size) setCamera((now) => now && zoomed(now, size, 2 ** (-event.deltaY / (event.deltaMode ? 12 : 240)), placeOf(event), closest));
    };
    const element = box.current!;
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [size, closest]);

  const placeOf = (event: MouseEvent): [number, number] => {
    const { left, top } = box.current!.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const under = ([x, y]: [number, number]): number => {
    if (!camera || !size) return -1;
    const [mapX, mapY] = toMap(camera, size, x, y);
    return grid.nearest(mapX, mapY, REACH / camera.scale, (at) => shown[kinds[at]!] === true);
  };

  const down = (event: PointerEvent) => {
    if ((event.target as Element).closest("button")) return;
    box.current!.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, placeOf(event));
    travelled.current = 0;
    if (lasso || event.shiftKey) setLine([placeOf(event)]);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    const now = placeOf(event);
    if (!before) {
      if (event.pointerType === "mouse") props.onHover(under(now), now[0], now[1]);
      return;
    }
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled.current += Math.hypot(dx, dy);
    if (line.length) setLine([...line, now]);
    else if (pointers.current.size === 1) setCamera((camera) => camera && moved(camera, dx, dy));
    else if (size) pinch(event.pointerId, before, now, size);
    pointers.current.set(event.pointerId, now);
    props.onHover(-1, 0, 0);
  };
  const pinch = (id: number, before: [number, number], now: [number, number], size: Size) => {
    const other = [...pointers.current].find(([each]) => each !== id)![1];
    const factor = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
    setCamera((camera) => camera && zoomed(camera, size, factor, [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2], closest));
  };
  const up = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return;
    if (line.length) {
      const found = camera && size ? grid.inside(line.map(([x, y]) => toMap(camera, size, x, y)), (at) => shown[kinds[at]!] === true) : [];
      setLine([]);
      if (travelled.current > CLICK) props.onChosen(found);
    } else if (travelled.current <= CLICK) {
      const at = under(placeOf(event));
      if (at >= 0) props.onOpen(at);
    }
  };
  const key = (event: KeyboardEvent) => {
    if (!size || event.target !== box.current) return;
    const middle = [size.width / 2, size.height / 2] as const;
    const moves: Record<string, (now: Camera) => Camera> = {
      ArrowLeft: (now) => moved(now, STEP, 0),
      ArrowRight: (now) => moved(now, -STEP, 0),
      ArrowUp: (now) => moved(now, 0, STEP),
      ArrowDown: (now) => moved(now, 0, -STEP),
      "+": (now) => zoomed(now, size, 1.5, middle, closest),
      "=": (now) => zoomed(now, size, 1.5, middle, closest),
      "-": (now) => zoomed(now, size, 1 / 1.5, middle),
      "0": () => whole(size),
    };
    const act = moves[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    setCamera((now) => now && act(now));
  };

  const covers = (left: number, top: number, right: number, bottom: number): number => {
    if (!camera || !size || grid.points.count > MOST_SHAPES) return 0; // among so many a label always covers some
    let sum = 0;
    const [x0, y0] = toMap(camera, size, left - 4, top - 4);
    const [x1, y1] = toMap(camera, size, right + 4, bottom + 4);
    const { x, y } = grid.points;
    grid.within(x0, y0, x1, y1, (at) => {
      if (x[at]! >= x0 && x[at]! <= x1 && y[at]! >= y0 && y[at]! <= y1) sum += 1;
    });
    return sum;
  };
  const close = Boolean(camera && size && camera.scale > 3 * whole(size).scale);
  const zoom = (factor: number) => size && setCamera((now) => now && zoomed(now, size, factor, [size.width / 2, size.height / 2], closest));
  return (
    <div
      ref={box}
      class={lasso ? "map-box lasso" : "map-box"}
      tabIndex={0}
      role="application"
      aria-label="Map of the memories. Arrow keys move, plus and minus zoom, zero shows all. The list beside it has the same memories."
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onPointerLeave={() => props.onHover(-1, 0, 0)}
      onKeyDown={key}
      data-drawn={inPicture === null ? undefined : inPicture > MOST_SHAPES ? "density" : "shapes"}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {camera && size && (
        <div class="map-labels" aria-hidden="true">
          {placedLabels(labels, camera, size, close, covers).map(({ label, text, x, y }) => (
            <span key={`${label.x} ${label.y}`} style={{ transform: `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)` }}>
              {text}
            </span>
          ))}
        </div>
      )}
      {line.length > 1 && (
        <svg class="map-line" aria-hidden="true">
          <path d={`M${line.map((each) => each.map(Math.round).join(" ")).join("L")}Z`} />
        </svg>
      )}
      {inPicture === 0 && (
        <p class="map-nothing">
          Nothing lies here.{" "}
          <button type="button" class="text-button" onClick={() => size && setCamera(whole(size))}>
            Show all
          </button>
        </p>
      )}
      <div class="map-zoom">
        <button type="button" class="icon-button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(1.6)}>
          +
        </button>
        <button type="button" class="icon-button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoom(1 / 1.6)}>
          −
        </button>
        <button type="button" class="text-button small" title="Show all (0)" onClick={() => size && setCamera(whole(size))}>
          All
        </button>
      </div>
    </div>
  );
}

