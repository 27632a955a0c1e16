import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The version of the package that this code belongs to. */
export const VERSION: string = (createRequire(import.meta.url)('../package.json') as { version: string })
  .version;

/** The package's folder, wherever this code stands in it: sources, build or bundle. */
export const PACKAGE_FOLDER: string = fileURLToPath(new URL('../', import.meta.url));
