import type { Egress, EgressOptions } from '../egress/egress.ts';

/** The egress door, opened by the first request: a gateway that only lists tools never loads it. */
export function lazyEgress(options: EgressOptions): Egress {
  let opened: Promise<Egress> | undefined;
  let door: Egress | undefined;
  const open = async (): Promise<Egress> => {
    opened ??= import('../egress/index.ts').then(({ createEgress }) => createEgress(options));
    door = await opened;
    return door;
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
    close: async () => (await opened)?.close(),
  };
}
