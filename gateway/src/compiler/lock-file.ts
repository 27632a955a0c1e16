import { ToolcribError } from '../errors.ts';
import { canonicalJson, isObject } from '../operations/index.ts';
import type { ToolLock } from './lock.ts';
import { isRejections } from './lock-rejections.ts';

/** The file's text: keys sorted, one line a tool, identical bytes for identical content. */
export function serializeLock(lock: ToolLock): string {
  const lines = (members: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(members).sort();
    if (names.length === 0) return '{}';
    return `{\n${names.map((name) => `    ${JSON.stringify(name)}: ${canonicalJson(members[name])}`).join(',\n')}\n  }`;
  };
  const catalog = lock.catalog === undefined ? '' : `  "catalog": ${JSON.stringify(lock.catalog)},\n`;
  const rejected = lock.rejected === undefined ? '' : `  "rejected": ${lines(lock.rejected)},\n`;
  return `{\n  "version": 1,\n${catalog}${rejected}  "sources": ${lines(lock.sources)},\n  "tools": ${lines(lock.tools)}\n}\n`;
}

/** Reads a lock file. Whatever is not exactly a lock is refused: a damaged lock must not let changes through. */
export function parseLock(text: string, file: string): ToolLock {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidLock(file, '', `it is not JSON (${(error as Error).message})`, error);
  }
  if (!isObject(value)) throw invalidLock(file, '', 'it is no JSON object');
  if (value['version'] !== 1)
    throw invalidLock(
      file,
      '/version',
      `version ${JSON.stringify(value['version'])} is not known, only 1 is`,
    );
  const { catalog, rejected, sources, tools } = value;
  if (catalog !== undefined && typeof catalog !== 'string')
    throw invalidLock(file, '/catalog', '`catalog` is no string');
  if (!isObject(sources)) throw invalidLock(file, '/sources', '`sources` is no object');
  if (!isObject(tools)) throw invalidLock(file, '/tools', '`tools` is no object');
  for (const [name, source] of Object.entries(sources)) {
    if (!isObject(source) || typeof source['fingerprint'] !== 'string')
      throw invalidLock(file, `/sources/${name}`, `source ${name} has no fingerprint`);
  }
  for (const [name, tool] of Object.entries(tools)) {
    if (!isLockedTool(tool))
      throw invalidLock(file, `/tools/${name}`, `tool ${name} lacks operation, source or hash`);
  }
  if (rejected !== undefined && !isRejections(rejected))
    throw invalidLock(file, '/rejected', 'a rejection lacks source, operation, hash or time');
  return {
    version: 1,
    ...(catalog === undefined ? {} : { catalog }),
    ...(rejected === undefined ? {} : { rejected }),
    sources: sources as unknown as ToolLock['sources'],
    tools: tools as unknown as ToolLock['tools'],
  };
}

function isLockedTool(tool: unknown): boolean {
  return (
    isObject(tool) &&
    typeof tool['operation'] === 'string' &&
    typeof tool['source'] === 'string' &&
    typeof tool['hash'] === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(tool['hash']) &&
    (tool['definition'] === undefined || isObject(tool['definition']))
  );
}

function invalidLock(file: string, pointer: string, reason: string, cause?: unknown): ToolcribError {
  return new ToolcribError(
    'configuration_invalid',
    `The lock file ${file} cannot be used: ${reason}. Restore it from version control, or remove it and accept the tools anew.`,
    { location: file, pointer, ...(cause === undefined ? {} : { cause }) },
  );
}
