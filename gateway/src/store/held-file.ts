import { statSync } from 'node:fs';
import { ToolcribError } from '../errors.ts';

/**
 * Remembers which file stands at a path, and checks each time it is called that it stands there still. Throws
 * `store_unavailable` once another does, or none: what is written to the open one then is lost with its process.
 */
export function holdFile(file: string): () => void {
  const held = identityOf(file);
  return () => {
    const now = identityOf(file, held);
    if (now === held) return;
    throw new ToolcribError(
      'store_unavailable',
      `The store at ${file} was ${now === undefined ? 'removed' : 'replaced'} while it was in use.`,
      {
        location: file,
        next: 'Start every gateway of it anew: they refuse calls, since nothing that they write would be kept.',
      },
    );
  };
}

/** The same for as long as it is the same file; undefined where there is none, `unseen` where the system does not say. */
function identityOf(file: string, unseen?: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return unseen;
  }
}
