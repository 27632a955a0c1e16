import { unknownTopology } from '../../config/topology.ts';
import { ToolcribError } from '../../errors.ts';
import type { ClientFacts } from '../../operations/index.ts';
import type { GatewayAdmin } from './gateway-admin.ts';

export type ClientWishes = Pick<ClientFacts, 'topology' | 'skill'>;

/** What one request asks for beside its caller's usual list. Throws `request_invalid`. */
export function clientWishes(
  gateway: Pick<GatewayAdmin, 'topologies'>,
  { topology, skill }: { readonly topology?: string | undefined; readonly skill?: string | undefined },
): ClientWishes {
  checkTopology(gateway, topology);
  return {
    ...(topology === undefined ? {} : { topology }),
    ...(skill === undefined ? {} : { skill }),
  };
}

/** Throws `request_invalid` for a topology that is not there: a misspelt one would be served as configured. */
export function checkTopology(
  { topologies }: Pick<GatewayAdmin, 'topologies'>,
  asked: string | undefined,
): void {
  if (asked === undefined || topologies === undefined) return;
  const fault = unknownTopology(asked, topologies);
  if (fault !== undefined) throw new ToolcribError('request_invalid', fault, { pointer: '/topology' });
}
