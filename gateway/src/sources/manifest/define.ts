import type { ProviderManifest } from './manifest.ts';
import { judgeManifest, manifestError, type ReadManifest } from './read-manifest.ts';

/** Types and checks a manifest written in code. Throws `source_invalid` naming everything that is wrong with it. */
export function defineManifest<M extends ProviderManifest>(manifest: M): M {
  const what = typeof manifest?.provider === 'string' ? manifest.provider : 'given';
  const { diagnostics } = judgeManifest(manifest, () => what, what) satisfies ReadManifest;
  if (diagnostics.length === 0) return manifest;
  throw manifestError(
    diagnostics.map(({ message, pointer = '#' }) => ({
      path: pointer.slice(2).split('/'),
      message: message.replace(/ It is left out\.$/, ''),
    })),
    () => what,
    what,
  );
}
