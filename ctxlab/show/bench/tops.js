/* Tops: where each part of the stage begins, in pixels from its upper edge. */

export const TOPS = {
  overview: 4,
  overviewHeight: 10,
  flag: 18,
  history: 38,
  historyHeight: 44,
  signs: 163,
  view: 184,
  viewHeight: 50,
};
export const HISTORY_FOOT = TOPS.history + TOPS.historyHeight;
export const VIEW_FOOT = TOPS.view + TOPS.viewHeight;
