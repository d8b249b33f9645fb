/** Whether the palette or the sheet of keys is open. */

import { state } from "../core/state";

export const floating = state<"palette" | "keys" | null>(null);
export const openPalette = () => floating.set("palette");
export const openKeys = () => floating.set("keys");
export const closeFloating = () => floating.set(null);
