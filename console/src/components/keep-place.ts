import { type RefObject, useLayoutEffect } from 'react';

/**
 * What is taken away while it has the focus leaves it to a neighbour: else the browser lets go of it, and whoever uses
 * the keyboard or listens begins at the top of the page again.
 */
export function useKeepPlace<Element extends HTMLElement>(element: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown !== null && document.activeElement === shown)
        neighbourOf(shown)?.focus({ preventScroll: true });
    };
  }, [element]);
}

/** An action of the row after it, or before; else the heading of its part of the page. */
function neighbourOf(element: HTMLElement): HTMLElement | null {
  const row = element.closest('tr');
  for (const next of [row?.nextElementSibling, row?.previousElementSibling]) {
    const action = next?.querySelector<HTMLElement>('td:last-child button:last-of-type');
    if (action) return action;
  }
  return headingAbove(element);
}

/** The heading of the part of the page that something stands in. */
export function headingAbove(element: HTMLElement): HTMLElement | null {
  for (let part: HTMLElement | null = element; part !== null; part = part.parentElement) {
    const heading = part.querySelector<HTMLElement>(':is(h1, h2)[tabindex]');
    if (heading !== null) return heading;
  }
  return null;
}
