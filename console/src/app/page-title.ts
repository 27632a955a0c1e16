import { useEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let title = '';
let waiting = 0;
let gateway = 'Toolcrib';
let away = false;

/** The tab says which page this is and how many approvals wait, `(2) Approvals · acme`, or that nobody can tell. */
export function usePageTitle(page: string): void {
  useEffect(() => {
    title = page;
    draw();
  }, [page]);
}

/** Name of the gateway, once it is known. */
export function setGatewayName(name: string): void {
  gateway = name;
  draw();
}

/** It does not answer: what the tab says else may be old. */
export function setAway(isAway: boolean): void {
  away = isAway;
  draw();
}

/** How many approvals wait for a person. */
export function setWaiting(count: number): void {
  if (count === waiting) return;
  waiting = count;
  draw();
  for (const listener of listeners) listener();
}

export function useWaiting(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => waiting,
  );
}

function draw(): void {
  const name = title === '' ? gateway : `${title} · ${gateway}`;
  const mark = away ? '(away) ' : waiting === 0 ? '' : `(${waiting}) `;
  document.title = `${mark}${name}`;
}
