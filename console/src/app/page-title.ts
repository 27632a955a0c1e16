import { useEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let title = '';
let waiting = 0;
let gateway = 'Toolcrib';

/** The tab says which page this is and how many approvals wait: `(2) Approvals · acme`. */
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
  document.title = waiting === 0 ? name : `(${waiting}) ${name}`;
}
