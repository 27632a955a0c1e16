import type { Configuration } from '../config/index.ts';
import { asToolcribError } from '../errors.ts';
import type { Fault } from '../store/postgres-faults.ts';
import type { Finding } from './finding.ts';

/** Whether the store can be used and, for a team, whether anybody can come in. Changes nothing. */
export async function checkStore({ store, auth }: Configuration): Promise<Finding[]> {
  const check = 'store';
  if (store === 'none') {
    if (auth.mode !== 'team') return [];
    const next = 'Name one with `store:`, or leave it out for the default.';
    return [{ check, status: 'error', message: 'auth.mode team needs a store, and store is none.', next }];
  }
  const [{ inspectStore }, { versionAdvice }] = await Promise.all([
    import('../store/inspect.ts'),
    import('../store/migrate.ts'),
  ]);
  try {
    const { address, exists, version, needed, rows, sessions, unwritable } = await inspectStore(store);
    const message = exists ? `${address} at version ${version}` : `${address} is made at the first start`;
    const fits: Finding = { check, status: 'ok', message };
    const wrong = {
      message: `${message}; this program needs ${needed}.`,
      next: versionAdvice(version, needed),
    };
    const empty = (rows['organisations'] ?? 0) === 0;
    return [
      exists && version !== needed
        ? { check, status: version > needed ? 'error' : 'warning', ...wrong }
        : fits,
      ...(unwritable === undefined ? [] : [cannotWrite(address, unwritable)]),
      ...(sessions ? [] : [{ check, status: 'warning', ...POOLED } as const]),
      ...(auth.mode === 'team' && empty ? [NOBODY] : []),
    ];
  } catch (error) {
    const { message, next } = asToolcribError(error);
    return [{ check, status: 'error', message, next }];
  }
}

const cannotWrite = (address: string, { reason, next }: Fault): Finding => ({
  check: 'store',
  status: 'error',
  message: `${address}: ${reason}.`,
  ...(next === undefined ? {} : { next }),
});

const POOLED = {
  message:
    'A pooler gives each transaction another connection: changes that other processes make are noticed late.',
  next: "Use the pooler's session mode, or the database's own address.",
};

const NOBODY: Finding = {
  check: 'team',
  status: 'warning',
  message: 'There is no organisation yet: nobody has a key.',
  next: 'toolcrib admin bootstrap --organisation NAME',
};
