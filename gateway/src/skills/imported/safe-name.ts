import { createHash } from 'node:crypto';

/** Ids that can be the name of a folder on every system. */
const PLAIN = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Not what Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

export function isFolderName(id: string): boolean {
  return PLAIN.test(id) && !DEVICE.test(id);
}

/** A name for the files about a skill, whatever its id holds. */
export function safeName(id: string): string {
  return isFolderName(id) ? id : `_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}
