import type { MouseEvent } from 'react';

/** The second click of a double click does nothing: it was not meant for the button that came under it. */
export function singleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}

/** As of a double click; nobody reads a card in that time. */
const DOUBLE_PRESS_MS = 300;
/** The letter that agreed last on any card, and when. */
let last: { readonly key: string; readonly at: number } | undefined;

/** The same of a letter that agrees: the first one may have put another card, or a question, under it. */
export function isDoublePress(key: string): boolean {
  const at = Date.now();
  const isSecond = last?.key === key && at - last.at < DOUBLE_PRESS_MS;
  last = { key, at };
  return isSecond;
}
