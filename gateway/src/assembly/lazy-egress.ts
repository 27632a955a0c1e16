import type { Egress, EgressOptions } from '../egress/egress.ts';
import { sameItems } from '../operations/same-items.ts';

export interface LazyEgress extends Egress {
  /** Replaces the private destinations; requests under way end as they began. */
  allow(destinations: readonly string[]): void;
}

/** How long requests that are under way may take to end, milliseconds. */
const RETIRED_MS = 10 * 60 * 1000;

/** The egress door, opened by the first request: a gateway that only lists tools never loads it. */
export function lazyEgress(options: EgressOptions): LazyEgress {
  let allowed = options.allow ?? [];
  let opened: Promise<Egress> | undefined;
  let door: Egress | undefined;
  /** Doors with requests that began under an older list. */
  const retired = new Set<Promise<Egress>>();
  const retire = (old: Promise<Egress>) => {
    retired.add(old);
    const end = async () => {
      retired.delete(old);
      await (await old).close();
    };
    setTimeout(() => void end().catch(() => undefined), RETIRED_MS).unref();
  };
  const open = async (): Promise<Egress> => {
    const opening =
      opened ??
      import('../egress/index.ts').then(({ createEgress }) => createEgress({ ...options, allow: allowed }));
    opened = opening;
    const first = await opening;
    if (opened === opening) door = first;
    return first;
  };
  return {
    request: (request, limits, signal) =>
      door === undefined
        ? open().then((first) => first.request(request, limits, signal))
        : door.request(request, limits, signal),
    fetch: (input, init, limits) =>
      door === undefined
        ? open().then((first) => first.fetch(input, init, limits))
        : door.fetch(input, init, limits),
    allow(destinations) {
      if (sameItems(destinations, allowed)) return;
      allowed = destinations;
      if (opened !== undefined) retire(opened);
      opened = undefined;
      door = undefined;
    },
    async close() {
      const doors = [...retired, ...(opened === undefined ? [] : [opened])];
      await Promise.all(doors.map(async (one) => (await one).close()));
    },
  };
}
