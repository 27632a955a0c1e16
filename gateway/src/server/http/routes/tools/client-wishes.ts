import { unknownTopology } from '../../../../config/settings/topology.ts';
import { ToolcribError } from '../../../../errors.ts';
import type { Principal } from '../../../../operations/index.ts';
import { type Narrowing, narrowedTo } from '../../../../operations/narrowed-principal.ts';
import { type ClientWishes, sourceNames } from '../../../mcp/http/address.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';

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

/** Who asks, with no more than one request wants. Throws `request_invalid`. */
export async function narrowedCaller(
  gateway: Pick<GatewayAdmin, 'sourceFault'>,
  principal: Principal,
  {
    source,
    maxAccess,
  }: { readonly source?: string | undefined; readonly maxAccess?: Narrowing['maxAccess'] | undefined },
): Promise<Principal> {
  const sources = source === undefined ? undefined : sourceNames([source]);
  const fault =
    sources?.length === 0
      ? 'source names no source.'
      : sources && (await gateway.sourceFault?.(principal, sources));
  if (fault !== undefined) throw new ToolcribError('request_invalid', fault, { pointer: '/source' });
  return narrowedTo(principal, { ...(sources && { sources }), ...(maxAccess && { maxAccess }) });
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
