import { tmpdir } from 'node:os';
import type { Configuration } from '../config/index.ts';
import { asToolcribError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { requireRoom } from '../files/require-room.ts';
import type { Finding } from './finding.ts';

export function checkNode(version: string): Finding {
  const fits = Number(version.split('.')[0]) >= 24;
  return fits
    ? { check: 'node', status: 'ok', message: `Node.js ${version}` }
    : { check: 'node', status: 'error', message: `Node.js ${version}`, next: 'Install Node.js 24 or newer.' };
}

export async function checkStateDirectory({ stateDirectory }: Configuration): Promise<Finding> {
  try {
    await makeFolder(stateDirectory);
    await requireRoom(stateDirectory);
    return { check: 'state', status: 'ok', message: `${stateDirectory} can be written` };
  } catch (error) {
    const { code, next } = asToolcribError(error);
    return {
      check: 'state',
      status: 'error',
      message: `${stateDirectory} cannot be written: ${(error as Error).message}.`,
      next:
        code === 'file_unusable'
          ? next
          : 'Make it writable, or name another with `stateDirectory:` or --state-dir.',
    };
  }
}

/** Nothing where it is as it should be. */
export async function checkTemporaryFolder(folder: string = tmpdir()): Promise<Finding[]> {
  try {
    await requireRoom(folder);
    return [];
  } catch (error) {
    return [
      {
        check: 'temporary folder',
        status: 'warning',
        message: `${folder} cannot be written: ${(error as Error).message}. Scripts of skills that nothing isolates, uploads and trials of sources need it.`,
        next: 'Make it writable (in a container a tmpfs), or name another in TMPDIR.',
      },
    ];
  }
}

export function checkEgress({ egress }: Configuration): Finding {
  const { allow } = egress;
  return {
    check: 'egress',
    status: 'info',
    message: allow.length === 0 ? 'public addresses only' : `public addresses, and: ${allow.join(', ')}`,
  };
}
