import { dirname, join } from 'node:path';
import { isObject, UNSAFE_KEYS } from '../../operations/index.ts';
import type { ConnectorSnapshot, SnapshotConnection } from './snapshot.ts';

/**
 * A snapshot file; entries of another form are left out. Throws an Error that says why, for a file that is none.
 */
export function readSnapshot(bytes: Uint8Array): ConnectorSnapshot {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (
    !isObject(value) ||
    value.version !== 1 ||
    !Array.isArray(value.connections) ||
    !isObject(value.documents)
  )
    throw new Error('the snapshot is of another form than this version writes');
  const documents: Record<string, string> = {};
  for (const [api, file] of Object.entries(value.documents))
    if (typeof file === 'string' && !UNSAFE_KEYS.has(api)) documents[api] = file;
  return {
    version: 1,
    connections: value.connections.flatMap(connectionOf),
    documents,
    problems: (Array.isArray(value.problems) ? value.problems : []).flatMap((problem) => {
      if (!isObject(problem) || typeof problem.message !== 'string') return [];
      const { api, message } = problem;
      return [{ message, ...(typeof api === 'string' ? { api } : {}) }];
    }),
  };
}

function connectionOf(value: unknown): SnapshotConnection[] {
  if (!isObject(value)) return [];
  const { name, api, displayName } = value;
  if (typeof name !== 'string' || typeof api !== 'string' || name === '' || api === '') return [];
  return [
    { name, api, displayName: typeof displayName === 'string' && displayName !== '' ? displayName : api },
  ];
}

/** A document beside the snapshot. Throws where the name would lead elsewhere. */
export function siblingOf(location: string, file: string): string {
  if (!/^[\w-][\w.-]*$/.test(file))
    throw new Error('a document of the snapshot has a name that leads elsewhere');
  return /^file:/i.test(location) ? new URL(file, location).href : join(dirname(location), file);
}
