import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { PACKAGE_FOLDER } from '../../version.ts';

/** Providers whose manifests come with Toolcrib. */
export const SHIPPED_PROVIDERS: readonly string[] = ['greenhouse', 'greenhouse-v3', 'zoho-recruit', 'lever'];

/** Path of a shipped manifest. Throws `configuration_invalid` for a name that is none. */
export function shippedManifest(provider: string): string {
  if (SHIPPED_PROVIDERS.includes(provider)) return join(PACKAGE_FOLDER, 'manifests', `${provider}.yaml`);
  throw new ToolcribError(
    'configuration_invalid',
    `There is no shipped manifest "${provider}"; there are ${SHIPPED_PROVIDERS.join(', ')}. A file of your own is named by its path, such as ./${provider}.yaml.`,
  );
}
