import { unknownTopology } from '../../../../config/settings/topology.ts';
import { ToolcribError } from '../../../../errors.ts';
import type { ClientFacts, Principal } from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';

export type ClientWishes = Pick<ClientFacts, 'topology' | 'skill'>;

/** What one request asks for beside its caller's usual list. Throws `request_invalid`. */
export async function clientWishes(
  gateway: Pick<GatewayAdmin, 'topologies' | 'skillFault'>,
  principal: Principal,
  { topology, skill }: { readonly topology?: string | undefined; readonly skill?: string | undefined },
): Promise<ClientWishes> {
  checkTopology(gateway, topology);
  const fault = skill === undefined ? undefined : await gateway.skillFault?.(principal, skill);
  if (fault !== undefined) throw new ToolcribError('request_invalid', fault, { pointer: '/skill' });
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
