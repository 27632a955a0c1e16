import type { Audience, Change } from '../gateway-core.ts';

/** Without an audience it is everybody's lists that changed. */
export type Announce = (change: Change, audience?: Audience) => void;

/** Tells every listener of a change. */
export function changeNotices() {
  const listeners = new Set<Announce>();
  const announce: Announce = (change, audience) => {
    for (const listener of listeners) listener(change, audience);
  };
  return {
    announce,
    /** An organisation's grants changed, or without one anybody's. */
    announceGrants: (organisation?: string) =>
      announce('tools', organisation === undefined ? undefined : { organisation }),
    onChange(listener: Announce): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
