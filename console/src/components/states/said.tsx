import { useEffect, useSyncExternalStore } from 'react';

/** Until a region that was drawn with the news is known as one, milliseconds: what it comes with is not said. */
const FIRST_MS = 200;
/** How long a line stays, milliseconds: long enough to be said, and gone before it is come upon as text of the page. */
const KEPT_MS = 5_000;

interface Line {
  readonly key: number;
  readonly text: string;
}

const listeners = new Set<() => void>();
let lines: readonly Line[] = [];
let made = 0;

/** Says a line to screen readers, after what they are saying. Nothing of it is seen, and no focus moves. */
export function say(text: string): void {
  const line = { key: ++made, text };
  setTimeout(() => change([...lines, line]), FIRST_MS);
  setTimeout(() => change(lines.filter((one) => one !== line)), FIRST_MS + KEPT_MS);
}

/** Says a text when it becomes another one; nothing while it is undefined. */
export function useSay(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) say(text);
  }, [text]);
}

/** Where lines are said from: on every page, and in every dialog, since nothing below one is heard. */
export function Said() {
  const shown = useSyncExternalStore(listen, () => lines);
  return (
    <div className="visually-hidden" aria-live="polite" data-said>
      {shown.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

function change(next: readonly Line[]): void {
  lines = next;
  for (const told of listeners) told();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
