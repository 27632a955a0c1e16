import { expect, test } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { secretValues, stdioEnvironment } from '../../../src/upstreams/stdio/stdio-environment.ts';

/** As `process.env` on Windows: any case. */
const windows = (variables: Record<string, string>): NodeJS.ProcessEnv =>
  new Proxy(variables, {
    get: (known, name) =>
      Object.entries(known).find(([each]) => each.toUpperCase() === String(name).toUpperCase())?.[1],
  });

const own = windows({ Path: 'C:\\Windows', ComSpec: 'C:\\cmd.exe', APPDATA: 'C:\\a', TOKEN: 'of others' });
const transport = { kind: 'stdio', command: 'x', args: [], inherit: [], env: {} } as const;
const isolation = { mode: 'none', network: true, read: [], write: [] } as const;
const signal = AbortSignal.timeout(10_000);

const on = (platform: NodeJS.Platform, more: object) => {
  const secrets = createSecretReader(own, () => undefined);
  return stdioEnvironment('files', { ...transport, isolation, ...more }, secrets, signal, platform);
};

test('a server on Windows gets what programs need there, and no more', async () => {
  expect(await on('win32', {})).toEqual({ PATH: 'C:\\Windows', COMSPEC: 'C:\\cmd.exe', APPDATA: 'C:\\a' });
});

test('a variable of the configuration replaces ours on Windows, however it is written', async () => {
  const env = { Path: 'C:\\tools', appdata: 'C:\\b' };
  expect(await on('win32', { env })).toEqual({ Path: 'C:\\tools', appdata: 'C:\\b', COMSPEC: 'C:\\cmd.exe' });
  expect(await on('linux', { env })).toEqual({ PATH: 'C:\\Windows', ...env });
});

test('a secret is known by the name that the configuration gives it', async () => {
  const asked = { ...transport, isolation, inherit: ['token'], env: {} };
  const env = await on('win32', asked);
  expect(secretValues(asked, env)).toEqual(['of others']);
});
