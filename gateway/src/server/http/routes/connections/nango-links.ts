import { ToolcribError } from '../../../../errors.ts';
import { unknownSource } from '../../../../operations/unknown-source.ts';
import type { GatewayAdmin, NangoLinks } from '../../admin/gateway-admin.ts';

/** The Nango that keeps a source's accounts. Throws `source_unknown`, `record_invalid`. */
export function nangoOf(gateway: GatewayAdmin, source: string): NangoLinks {
  if (!Object.hasOwn(gateway.configuration.sources, source)) {
    throw unknownSource(source);
  }
  const links = gateway.nango?.(source);
  if (links !== undefined) return links;
  throw new ToolcribError('record_invalid', `Accounts of source ${source} are not kept in Nango.`, {
    pointer: '/source',
  });
}
