import { type ArmClientOptions, createArmClient } from './arm-client.ts';
import type { ArmPurpose } from './arm-errors.ts';
import { armPaths } from './arm-paths.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import { type ArmConnection, readConnection } from './connections.ts';
import { listAll } from './list-pages.ts';

export const LIST_CONNECTIONS: ArmPurpose = {
  what: 'list the connections',
  action: 'Microsoft.Web/connections/read',
};

/** Every connection of the resource group, disabled ones too, for who only looks. Throws ToolcribError. */
export async function connectionsOf(
  options: Omit<ArmClientOptions, 'clock'>,
  signal: AbortSignal,
): Promise<readonly ArmConnection[]> {
  const { settings } = options;
  const paths = armPaths(settings);
  const client = createArmClient({ ...options, clock: SYSTEM_CLOCK });
  const entries = await listAll(client, { method: 'GET', path: paths.connections }, LIST_CONNECTIONS, signal);
  return entries.flatMap((entry) => readConnection(entry, paths, settings) ?? []);
}
