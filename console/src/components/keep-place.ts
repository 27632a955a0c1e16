import { type RefObject, useLayoutEffect } from 'react';

/**
 * What is taken away while it has the focus leaves it to what stands near: else the browser lets go of it, and whoever
 * uses the keyboard or listens begins at the top of the page again. Never to another action: Enter pressed once more
 * would do it (WAI-ARIA Authoring Practices, "Keyboard Navigation Between Components": a logical place). Of what brings
 * more rows, `last` is the one that stood last before: the first that came takes the focus.
 */
export function useKeepPlace(element: RefObject<HTMLElement | null>, last?: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown === null || document.activeElement !== shown) return;
      const places = placesNear(shown);
      // only then is it known what went along, and no key is pressed before
      queueMicrotask(() => {
        const place = nameOf(last?.current?.nextElementSibling) ?? places.find((one) => one.isConnected);
        if (place !== undefined) focusOn(place);
      });
    };
  }, [element, last]);
}

/** The name of its own row, should that stay; of the next, of the one before; the heading of its part of the page. */
function placesNear(element: HTMLElement): readonly HTMLElement[] {
  const row = element.closest('tr, li');
  const names = [row, row?.nextElementSibling, row?.previousElementSibling].flatMap(
    (one) => nameOf(one) ?? [],
  );
  return [...names, headingAbove(row?.parentElement ?? element)].filter((place) => place !== null);
}

/** Opens what it names, and does nothing else. */
const WAY = 'a, summary, [role="grid"] th button';

/** What names a row or an item of a list: what opens it, where there is such a thing. A card takes the focus whole. */
function nameOf(row: Element | null | undefined): HTMLElement | null {
  const card = row?.querySelector<HTMLElement>(':scope > article[tabindex]');
  const name = card ?? row?.querySelector<HTMLElement>('th, h2');
  return card ?? (name ?? row)?.querySelector<HTMLElement>(WAY) ?? name ?? null;
}

/** A name takes the focus this once: it is no stop of its own. */
function focusOn(place: HTMLElement): void {
  if (place.tabIndex < 0 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus();
}

/** The heading of the part of the page that something stands in; a dialog itself, since nothing below it takes the focus. */
export function headingAbove(element: HTMLElement): HTMLElement | null {
  for (let part: HTMLElement | null = element; part !== null; part = part.parentElement) {
    if (part instanceof HTMLDialogElement) return part;
    const heading = part.querySelector<HTMLElement>(':is(h1, h2)[tabindex]');
    if (heading !== null) return heading;
  }
  return null;
}
