/** The views besides the first one and the map, as one file to load. */

export { default as Health } from "./Health";
export { default as Insights } from "./Insights";
export { default as Memories } from "./Memories";
export { default as Recall } from "./Recall";
export { default as Review } from "./Review";
export { default as Search } from "./Search";
export { default as Settings } from "./Settings";
export { default as Tasks } from "./Tasks";
export { default as Timeline } from "./Timeline";
