import { ToolcribError } from '../../errors.ts';
import type { Directory } from '../../principals/directory/directory.ts';
import type { GatewayAdmin } from './admin/gateway-admin.ts';

/** Organisations and what belongs to them. Throws `not_found` where a gateway keeps none. */
export function directoryOf({ directory }: GatewayAdmin): Directory {
  if (directory !== undefined) return directory;
  throw new ToolcribError(
    'not_found',
    'This gateway keeps no organisations: its `auth.mode` is local, which has one owner.',
    { next: 'Set `auth: { mode: team }` with a store, and start it again.' },
  );
}
