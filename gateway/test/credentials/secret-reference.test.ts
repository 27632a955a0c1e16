import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSecretReader, environmentName } from '../../src/credentials/secret-reference.ts';

const { signal } = new AbortController();

it.each([
  ['github', 'bearerAuth', 'TOOLCRIB_GITHUB_BEARER_AUTH'],
  ['my-api', 'oauth2Token', 'TOOLCRIB_MY_API_OAUTH2_TOKEN'],
  ['pets', '-x.key-', 'TOOLCRIB_PETS_X_KEY'],
])('the variable of %s and %s', (source, scheme, expected) => {
  expect(environmentName(source, scheme)).toBe(expected);
});

describe('a secret that is read', () => {
  it('may be empty only where that is said, not because it is public', async () => {
    const { read } = createSecretReader({ EMPTY: ' ' }, () => {});
    const empty = { env: 'EMPTY' };
    await expect(read(empty, 'a.clientId', signal, 'public')).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('a.clientId is empty'),
    });
    expect(await read(empty, 'a.password', signal, 'empty')).toBe('');
  });

  it('is not read once the call has ended, and that is no missing file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-secret-'));
    try {
      const file = join(folder, 'token');
      await writeFile(file, 'token');
      const { read } = createSecretReader({}, () => {});
      await expect(read({ file }, 'a.bearer', AbortSignal.abort())).rejects.toMatchObject({
        code: 'cancelled',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
