import { useEffect, useEffectEvent } from 'react';

/** Something over the page, and the address of that page. */
interface Opened {
  readonly close: () => void;
  readonly href: string;
  readonly state: unknown;
}

/** What is over what, the uppermost last. */
const opened: Opened[] = [];

/** Back or Forward closes what is open, and leaves the page where it is. */
export function useBack(close: () => void, isOpen = true): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const own: Opened = { close: () => onBack(), href: location.href, state: history.state };
    opened.push(own);
    return () => void opened.splice(opened.indexOf(own), 1);
  }, [isOpen]);
}

/**
 * Once, before anything follows the address. Where the browser lets nobody prevent Back (pressed again before anything
 * else is: HTML, "history-action activation") or has no Navigation API, the address is put right before a page hears
 * that it was another one.
 */
export function guardBack(): void {
  addEventListener('popstate', () => {
    const top = opened.at(-1);
    if (top === undefined) return;
    if (location.href !== top.href) history.pushState(top.state, '', top.href);
    top.close();
  });
  // by its class: an element of this name is a member of the window, too
  if (!('Navigation' in globalThis)) return;
  navigation.addEventListener('navigate', (event) => {
    const top = opened.at(-1);
    if (top === undefined || event.navigationType !== 'traverse' || !event.cancelable) return;
    event.preventDefault();
    top.close();
  });
}
