import { createHash } from 'node:crypto';
import { isDeviceName } from '../../operations/text/device-name.ts';

/** Ids that can be the name of a folder on every system. */
const PLAIN = /^[a-z0-9][a-z0-9-]{0,63}$/;

export function isFolderName(id: string): boolean {
  return PLAIN.test(id) && !isDeviceName(id);
}

/** A name for the files about a skill, whatever its id holds. */
export function safeName(id: string): string {
  return isFolderName(id) ? id : `_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}
