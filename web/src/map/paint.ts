/** Draw the points: as density while there are many in the picture, as shapes when there are few. */

import { FAMILIES } from "../model/families";
import { shapePath } from "../parts/Category";
import { toMap, type Camera, type Size } from "./camera";
import type { Grid, Points } from "./points";

export type By = "family" | "outcome" | "age";

export interface Kind {
  name: string;
  title: string;
  /** A colour token of the page. */
  token: string;
  path: string;
}

const UP = "M6 1l5 10H1z";
const DOWN = "M6 11L1 1h10z";
const DOT = "M9 6A3 3 0 1 1 3 6a3 3 0 0 1 6 0z";
const FULL = "M11 6A5 5 0 1 1 1 6a5 5 0 0 1 10 0z";

/** The kinds of points, each with a shape and a colour of its own. */
export const KINDS: Record<By, readonly Kind[]> = {
  family: FAMILIES.map(({ name, title }) => ({ name, title, token: name, path: shapePath(name) })),
  outcome: [
    { name: "worked", title: "Mostly worked", token: "worked", path: UP },
    { name: "failed", title: "Mostly failed", token: "failed", path: DOWN },
    { name: "open", title: "Mixed or no reports", token: "grey-3", path: DOT },
  ],
  age: [
    { name: "week", title: "Last 7 days", token: "accent", path: FULL },
    { name: "month", title: "8 to 30 days", token: "grey-1", path: FULL },
    { name: "half-year", title: "1 to 6 months", token: "grey-2", path: DOT },
    { name: "older", title: "Older", token: "grey-3", path: DOT },
  ],
};

const DECIDED = 15; // hundredths of a score
const TODAY = () => Math.floor(Date.now() / 86_400_000);

/** Return the kind of each point. */
export function kindsOf(points: Points, by: By, today = TODAY()): Uint8Array {
  if (by === "family") return points.family;
  const kinds = new Uint8Array(points.count);
  for (let at = 0; at < points.count; at += 1)
    if (by === "outcome") kinds[at] = points.score[at]! > DECIDED ? 0 : points.score[at]! < -DECIDED ? 1 : 2;
    else {
      const days = today - points.day[at]!;
      kinds[at] = days <= 7 ? 0 : days <= 30 ? 1 : days <= 183 ? 2 : 3;
    }
  return kinds;
}

export const MOST_SHAPES = 3_000;
const SHARE = 0.55; // of a pixel's colour that a point takes

export interface Scene {
  grid: Grid;
  kinds: Uint8Array;
  /** Whether each kind is shown. */
  shown: readonly boolean[];
  /** Colours of the kinds, as red, green and blue. */
  colours: readonly (readonly [number, number, number])[];
  paths: readonly string[];
  page: readonly [number, number, number];
  chosen: ReadonlySet<number> | null;
}

export class Painter {
  readonly #context: CanvasRenderingContext2D;
  #image: ImageData | null = null;
  #sprites = new Map<string, HTMLCanvasElement>();
  readonly #found: number[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext("2d", { alpha: false })!;
  }

  /** Draw a frame; return the number of points in the picture. */
  paint(scene: Scene, camera: Camera, size: Size, density: number): number {
    const [width, height] = [Math.round(size.width * density), Math.round(size.height * density)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const found = this.#inPicture(scene, camera, size);
    if (found.length > MOST_SHAPES) this.#dots(scene, found, camera, width, height, density);
    else this.#shapes(scene, found, camera, width, height, density);
    return found.length;
  }

  #inPicture({ grid, kinds, shown }: Scene, camera: Camera, size: Size): number[] {
    const found = this.#found;
    found.length = 0;
    const [left, top] = toMap(camera, size, -8, -8);
    const [right, bottom] = toMap(camera, size, size.width + 8, size.height + 8);
    const { x, y } = grid.points;
    grid.within(left, top, right, bottom, (at) => {
      if (shown[kinds[at]!] && x[at]! >= left && x[at]! <= right && y[at]! >= top && y[at]! <= bottom) found.push(at);
    });
    return found;
  }

  #dots(scene: Scene, found: number[], camera: Camera, width: number, height: number, density: number): void {
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = this.#context.createImageData(width, height);
    const image = this.#image;
    const pixels = new Uint32Array(image.data.buffer);
    const [red, green, blue] = scene.page;
    pixels.fill((255 << 24) | (blue << 16) | (green << 8) | red);
    const data = image.data;
    const { x, y } = scene.grid.points;
    const scale = camera.scale * density;
    const [dx, dy] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
    const wide = Math.round((found.length > 30_000 ? 1.5 : 2.5) * density);
    const half = wide >> 1;
    for (const at of found) {
      const colour = scene.colours[scene.kinds[at]!]!;
      const share = scene.chosen && !scene.chosen.has(at) ? SHARE / 4 : SHARE;
      const [left, top] = [Math.round(x[at]! * scale + dx) - half, Math.round(y[at]! * scale + dy) - half];
      if (left < 0 || top < 0 || left + wide > width || top + wide > height) continue;
      for (let line = top; line < top + wide; line += 1)
        for (let place = 4 * (line * width + left), end = place + 4 * wide; place < end; place += 4) {
          data[place]! += (colour[0] - data[place]!) * share;
          data[place + 1]! += (colour[1] - data[place + 1]!) * share;
          data[place + 2]! += (colour[2] - data[place + 2]!) * share;
        }
    }
    this.#context.putImageData(image, 0, 0);
  }

  #shapes(scene: Scene, found: number[], camera: Camera, width: number, height: number, density: number): void {
    const context = this.#context;
    context.fillStyle = `rgb(${scene.page.join(" ")})`;
    context.fillRect(0, 0, width, height);
    const { x, y } = scene.grid.points;
    const scale = camera.scale * density;
    const [dx, dy] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
    const side = Math.round((found.length > 800 || width < 500 * density ? 8 : 11) * density);
    const sprites = scene.paths.map((path, kind) => this.#sprite(path, scene.colours[kind]!, scene.page, side));
    for (const at of found) {
      const sprite = sprites[scene.kinds[at]!]!;
      context.globalAlpha = scene.chosen && !scene.chosen.has(at) ? 0.3 : 1;
      context.drawImage(sprite, Math.round(x[at]! * scale + dx - sprite.width / 2), Math.round(y[at]! * scale + dy - sprite.width / 2));
    }
    context.globalAlpha = 1;
  }

  /** A shape with an edge in the page's colour, so that shapes on top of each other stay apart. */
  #sprite(path: string, colour: readonly number[], page: readonly number[], side: number): HTMLCanvasElement {
    const key = `${path} ${colour} ${page} ${side}`;
    let sprite = this.#sprites.get(key);
    if (!sprite) {
      if (this.#sprites.size > 60) this.#sprites.clear();
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = side + 4;
      const context = sprite.getContext("2d")!;
      context.translate(2, 2);
      context.scale(side / 12, side / 12);
      const shape = new Path2D(path);
      context.strokeStyle = `rgb(${page.join(" ")})`;
      context.lineWidth = 2;
      context.stroke(shape);
      context.fillStyle = `rgb(${colour.join(" ")})`;
      context.fill(shape);
      this.#sprites.set(key, sprite);
    }
    return sprite;
  }
}

/** Read "rgb(1, 2, 3)", as a browser computes a colour. */
export function channels(computed: string): [number, number, number] {
  const numbers = computed.match(/[\d.]+/gu)?.map(Number) ?? [];
  const factor = computed.startsWith("color(") ? 255 : 1;
  const [red = 0, green = 0, blue = 0] = numbers.map((each) => Math.round(each * factor));
  return [red, green, blue];
}
