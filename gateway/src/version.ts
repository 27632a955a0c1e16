import { createRequire } from 'node:module';

/** The version of the package that this code belongs to. */
export const VERSION: string = (createRequire(import.meta.url)('../package.json') as { version: string })
  .version;
