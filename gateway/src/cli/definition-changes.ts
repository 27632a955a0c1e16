import { lockEntries } from '../assembly/lock-review.ts';
import { readIfPresent } from '../catalog/lock-files.ts';
import { diffDefinitions } from '../compiler/diff.ts';
import { parseLock } from '../compiler/lock.ts';
import type { Gateway } from '../gateway.ts';

/** How the compiled tools differ from the lock. */
export interface DefinitionChanges {
  readonly lock: string;
  /** False: there is no lock, and everything counts as new. */
  readonly locked: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: ReadonlyArray<{ readonly name: string; readonly lines: readonly string[] }>;
}

export async function definitionChanges(gateway: Gateway): Promise<DefinitionChanges> {
  const { file } = gateway.configuration.lock;
  const text = await readIfPresent(file);
  const tools = text === undefined ? {} : parseLock(text, file).tools;
  const entries = lockEntries(gateway.view().catalog);
  const names = new Set(entries.map(({ name }) => name));
  const changed = entries.flatMap(({ name, hash, definition }) => {
    const before = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (before === undefined || before.hash === hash) return [];
    return [{ name, lines: diffDefinitions(before.definition ?? {}, definition) }];
  });
  return {
    lock: file,
    locked: text !== undefined,
    added: [...names].filter((name) => !Object.hasOwn(tools, name)),
    removed: Object.keys(tools).filter((name) => !names.has(name)),
    changed,
  };
}
