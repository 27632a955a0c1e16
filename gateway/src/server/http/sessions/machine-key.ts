import { join } from 'node:path';
import { secretFile } from '../../../files/secret-file.ts';
import { secretUnusable } from '../../../files/secret-unusable.ts';
import { isSecret, newSecret } from './session-secret.ts';

/**
 * The key in the state directory that sessions of the owner are proven with. Whoever writes the store and not this
 * machine's state directory makes none; without the file, all of them have ended.
 */
export function createMachineKey(stateDirectory: string): () => Promise<string> {
  const file = join(stateDirectory, 'session-key');
  return secretFile(file, {
    fits: isSecret,
    make: newSecret,
    failure: (cause) =>
      secretUnusable('The key of the owner’s sessions cannot be read or made.', {
        location: file,
        cause,
        next: 'Check `session-key` in the state directory; remove it to have a new one made, which ends these sessions.',
      }),
  }).readOrMake;
}
