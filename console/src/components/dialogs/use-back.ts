import { useEffect, useEffectEvent } from 'react';

/**
 * Back or Forward closes what is open, and leaves the page where it is. Not where the browser insists: pressed again
 * before anything else is (HTML, "history-action activation"), or where it has no Navigation API.
 */
export function useBack(close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!('navigation' in globalThis)) return;
    const stay = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return;
      event.preventDefault();
      onBack();
    };
    navigation.addEventListener('navigate', stay);
    return () => navigation.removeEventListener('navigate', stay);
  }, []);
}
