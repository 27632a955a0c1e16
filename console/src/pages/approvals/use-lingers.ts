import { useEffect, useState } from 'react';

/** Until a screen reader has heard where the focus went, milliseconds: it hears of what is gone first. */
const LINGERS_MS = 150;

/**
 * True while `shown`, and for a moment after: what had the focus is taken away only once the focus has gone on. Where
 * both come at once Orca (43, with Firefox) takes the one for the other drawn anew, and says nothing.
 */
export function useLingers(shown: boolean): boolean {
  const [lingers, setLingers] = useState(shown);
  if (shown && !lingers) setLingers(true);
  useEffect(() => {
    if (shown) return;
    const timer = setTimeout(() => setLingers(false), LINGERS_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return lingers;
}
