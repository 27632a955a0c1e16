import type { Egress } from './egress.ts';

/** The door as one source has it, with the origins that the configuration names for it (`OutgoingRequest.named`). */
export function doorOf(egress: Egress, named: readonly string[] | undefined): Egress {
  if (named === undefined) return egress;
  return {
    ...egress,
    request: (request, limits, signal) => egress.request({ ...request, named }, limits, signal),
    fetch: (input, init, limits, terms) => egress.fetch(input, init, limits, { ...terms, named }),
  };
}
