import { type RefObject, useEffect, useRef } from 'react';

export const CONTROL = ':is(input, select, textarea, button)';

/** Leads the focus within a part to what a press there brought, once it is drawn; the button may be gone with it. */
export function useLeadFocus(part: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    part.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = undefined;
  });
  return (selector) => {
    wanted.current = selector;
  };
}
