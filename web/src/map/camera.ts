/** What part of the map is shown: pure values. */

import { WIDTH } from "./points";

export interface Camera {
  /** The place of the map in the middle of the picture. */
  x: number;
  y: number;
  /** Pixels of the picture for one unit of the map. */
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const MARGIN = 24;

export function whole({ width, height }: Size): Camera {
  const room = Math.max(80, Math.min(width, height) - 2 * MARGIN);
  return { x: WIDTH / 2, y: WIDTH / 2, scale: room / WIDTH };
}

export function toScreen(camera: Camera, { width, height }: Size, x: number, y: number): [number, number] {
  return [(x - camera.x) * camera.scale + width / 2, (y - camera.y) * camera.scale + height / 2];
}

export function toMap(camera: Camera, { width, height }: Size, x: number, y: number): [number, number] {
  return [(x - width / 2) / camera.scale + camera.x, (y - height / 2) / camera.scale + camera.y];
}

/** How many times closer than the whole map so many points can be looked at. */
export function closestFor(count: number): number {
  return Math.max(8, Math.min(240, 1.5 * Math.sqrt(count)));
}

/** Zoom around a place of the picture, which stays where it is. */
export function zoomed(camera: Camera, size: Size, factor: number, at: readonly [number, number], closest = 240): Camera {
  const least = whole(size).scale;
  const scale = Math.max(least * 0.8, Math.min(least * closest, camera.scale * factor));
  const [x, y] = toMap(camera, size, at[0], at[1]);
  return bounded({
    x: x - (at[0] - size.width / 2) / scale,
    y: y - (at[1] - size.height / 2) / scale,
    scale,
  });
}

export function moved(camera: Camera, dx: number, dy: number): Camera {
  return bounded({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale });
}

/** Show a place and what is around it. */
export function around(size: Size, x: number, y: number, times = 6): Camera {
  return bounded({ x, y, scale: whole(size).scale * times });
}

/** Keep the middle of the picture on the map. */
function bounded(camera: Camera): Camera {
  const inside = (value: number) => Math.max(0, Math.min(WIDTH, value));
  return { ...camera, x: inside(camera.x), y: inside(camera.y) };
}
