import { ToolcribError } from '../../errors.ts';
import type { Directory } from '../../principals/directory/directory.ts';
import type { GatewayAdmin } from './admin/gateway-admin.ts';

/** Organisations and what belongs to them. Throws `not_found` where a gateway keeps none. */
export function directoryOf({ directory }: GatewayAdmin): Directory {
  if (directory !== undefined) return directory;
  throw new ToolcribError(
    'not_found',
    'This gateway keeps no organisations: its configuration names no store.',
  );
}
