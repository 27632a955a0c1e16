import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Takes the folder of a frozen package out of what its script says about a failure: its author knows the paths within
 * the package, and where the gateway keeps its state is nobody's business.
 */
export function withoutFolder(folder: string): (text: string) => string {
  const folders = [...new Set([realpathSync.native(folder), folder])];
  const prefixes = folders.flatMap((path) => [`${pathToFileURL(path).href}/`, `${path}/`]);
  return (text) => {
    const relative = prefixes.reduce((rest, prefix) => rest.replaceAll(prefix, ''), text);
    return folders.reduce((rest, path) => rest.replaceAll(path, '.'), relative);
  };
}
