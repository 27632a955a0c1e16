import { type RefObject, useEffect, useState } from 'react';

/** Parts of pixels make a pixel that nobody scrolls to. */
const ROUNDED = 1;

/** Whether what stands in a box is wider or higher than it: then it is scrolled, and must take the focus for it. */
export function useOverflows(box: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () =>
      setOverflows(
        element.scrollWidth > element.clientWidth + ROUNDED ||
          element.scrollHeight > element.clientHeight + ROUNDED,
      );
    const sizes = new ResizeObserver(look);
    const watch = () => {
      sizes.disconnect();
      sizes.observe(element);
      for (const child of element.children) sizes.observe(child);
    };
    watch();
    const parts = new MutationObserver(watch);
    parts.observe(element, { childList: true });
    return () => {
      sizes.disconnect();
      parts.disconnect();
    };
  }, [box]);
  return overflows;
}
