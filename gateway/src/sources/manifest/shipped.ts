import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { PACKAGE_FOLDER } from '../../version.ts';

/** Providers whose manifests come with Toolcrib. */
export const SHIPPED_PROVIDERS: readonly string[] = ['greenhouse', 'greenhouse-v3', 'zoho-recruit', 'lever'];

/** Beside the sources in a checkout; at the package's root where they were moved there. */
const FOLDERS = ['manifests', 'src/sources/manifest/manifests'];

/** Path of a shipped manifest. Throws `configuration_invalid` for a name that is none. */
export function shippedManifest(provider: string): string {
  const files = FOLDERS.map((folder) => join(PACKAGE_FOLDER, folder, `${provider}.yaml`));
  const file = SHIPPED_PROVIDERS.includes(provider) ? files.find((path) => existsSync(path)) : undefined;
  if (file !== undefined) return file;
  throw new ToolcribError(
    'configuration_invalid',
    `There is no shipped manifest "${provider}"; there are ${SHIPPED_PROVIDERS.join(', ')}. A file of your own is named by its path, such as ./${provider}.yaml.`,
  );
}
