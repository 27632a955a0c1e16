import type { Resolve } from './egress.ts';

/**
 * A name that is being looked up is not looked up beside that. The system carries out two lookups at a time, and none
 * can be taken back: one name without an answer, asked for again and again, would keep every other one waiting.
 */
export function sharedLookups(resolve: Resolve): Resolve {
  const open = new Map<string, ReturnType<Resolve>>();
  return (host) => {
    const underWay = open.get(host);
    if (underWay !== undefined) return underWay;
    const lookup = resolve(host).finally(() => open.delete(host));
    open.set(host, lookup);
    return lookup;
  };
}
