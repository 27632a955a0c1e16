import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../../version.ts';

/**
 * A module that lets code which is loaded after it import `toolcrib` and `zod` also where they are not installed: it
 * then gets this program's own. What is installed beside the code comes first. Given to `node --import`, too.
 */
export function ownPackages(): string {
  const own = import.meta.url.endsWith('.ts') ? 'src/index.ts' : 'dist/index.js';
  const index = pathToFileURL(join(PACKAGE_FOLDER, own)).href;
  const code = `
    import { registerHooks } from 'node:module';
    const own = ${JSON.stringify(index)};
    registerHooks({
      resolve(specifier, context, next) {
        const mine = specifier === 'toolcrib' || specifier === 'zod';
        if (!mine) return next(specifier, context);
        try {
          return next(specifier, context);
        } catch (error) {
          if (context.parentURL === own) throw error;
          if (specifier === 'toolcrib') return { url: own, shortCircuit: true };
          return next(specifier, { ...context, parentURL: own });
        }
      },
    });
    export const load = (url) => import(url);`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Loads a module of the operator's, TypeScript included (type stripping); `version` tells its states apart. */
export async function importFile(file: string, version: string): Promise<Readonly<Record<string, unknown>>> {
  // by Node itself, whatever bundles or transforms the module that asks
  const { load } = (await import(ownPackages())) as { load(url: string): Promise<Record<string, unknown>> };
  return load(`${pathToFileURL(file).href}?v=${encodeURIComponent(version)}`);
}
