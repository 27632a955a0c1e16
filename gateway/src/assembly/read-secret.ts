import { createSecretReader } from '../credentials/secret-reference.ts';
import type { ReadSecret } from './compiling/source-reader.ts';
import type { Faults } from './faults.ts';

/** Reads secrets by reference; each is taken out of whatever is written from then on. */
export function createReadSecret(faults: () => Promise<Faults>): ReadSecret {
  return async (...asked) => {
    const { redactor } = await faults();
    return createSecretReader(process.env, (secret) => redactor.add(secret)).read(...asked);
  };
}
