import { isDeepStrictEqual } from 'node:util';
import type { Egress, EgressOptions } from '../egress/egress.ts';
import { sameItems } from '../operations/same-items.ts';

export interface LazyEgress extends Egress {
  /** Other private destinations or another proxy; requests under way end as they began. */
  change(settings: Pick<EgressOptions, 'allow' | 'redirects' | 'proxy'>): void;
}

/** How long requests that are under way may take to end, milliseconds. */
const RETIRED_MS = 10 * 60 * 1000;

/** The egress door, opened by the first request: a gateway that only lists tools never loads it. */
export function lazyEgress(options: EgressOptions): LazyEgress {
  let current = options;
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
    const opening = opened ?? import('../egress/index.ts').then(({ createEgress }) => createEgress(current));
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
    fetch: (...given) =>
      door === undefined ? open().then((first) => first.fetch(...given)) : door.fetch(...given),
    change({ allow = [], redirects, proxy }) {
      const isSame =
        sameItems(allow, current.allow ?? []) &&
        isDeepStrictEqual([redirects, proxy], [current.redirects, current.proxy]);
      if (isSame) return;
      const { proxy: _proxy, redirects: _redirects, ...rest } = options;
      current = {
        ...rest,
        allow,
        ...(redirects === undefined ? {} : { redirects }),
        ...(proxy === undefined ? {} : { proxy }),
      };
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
