import { type RefObject, useLayoutEffect, useState } from 'react';

/** Width of an element, pixels, without its scroll bar; 0 before it was drawn, and as it was while it is hidden. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** The size of text that styles count in, pixels. */
export function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
