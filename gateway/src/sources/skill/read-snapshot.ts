import { ToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';
import type { SkillSnapshot } from './snapshot.ts';

/** The gateway's own file, as its other side wrote it. Throws `source_invalid` for anything else. */
export function readSnapshot(bytes: Uint8Array, location: string): SkillSnapshot {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    // told below
  }
  if (isObject(value) && ['skills', 'overridden', 'problems'].every((key) => Array.isArray(value[key])))
    return value as unknown as SkillSnapshot;
  throw new ToolcribError('source_invalid', 'What is known of the skills cannot be read.', { location });
}
