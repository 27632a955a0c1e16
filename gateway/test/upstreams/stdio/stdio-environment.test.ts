import { expect, test } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import {
  keptValues,
  secretValues,
  stdioEnvironment,
} from '../../../src/upstreams/stdio/stdio-environment.ts';

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

test('a shell function is no variable: it is code', async () => {
  const secrets = createSecretReader({ GREET: '() { echo; }', NAME: 'ann' }, () => undefined);
  const asked = { ...transport, isolation, inherit: ['GREET', 'NAME'] };
  expect(await stdioEnvironment('files', asked, secrets, signal, 'linux')).toEqual({ NAME: 'ann' });
});

test('logs leave out what is inherited by a name of secrets, and what is set by one or by reference', async () => {
  const announced: string[] = [];
  const own = { API_KEY: 'inherited-key', COLOR: 'blue-green', EMPTY_TOKEN: ' ', OTHER: 'by-reference' };
  const secrets = createSecretReader(own, (secret) => void announced.push(secret));
  const asked = {
    ...transport,
    isolation,
    inherit: ['API_KEY', 'COLOR', 'EMPTY_TOKEN'],
    env: { passWord: 'plain-password', PLAIN: { env: 'OTHER' }, REGION: 'somewhere' },
  };
  const env = await stdioEnvironment('files', asked, secrets, signal, 'linux');
  expect(announced.sort()).toEqual(['by-reference', 'inherited-key', 'plain-password']);
  expect(secretValues(asked, env)).toEqual(['inherited-key', ' ', 'plain-password', 'by-reference']);
});

test('where a file of secrets lies is readable in logs and last words: complaints name it', async () => {
  const announced: string[] = [];
  const own = { SERVICE_CREDENTIALS: '/home/ada/service.json', AT: '~/keys/own.pem' };
  const secrets = createSecretReader(own, (secret) => void announced.push(secret));
  const env = {
    OAUTH_CREDENTIALS: '/home/ada/oauth.keys.json',
    OWN_KEY: { env: 'AT' },
    OTHER_KEY: 'a-key-0123',
  };
  const asked = { ...transport, isolation, inherit: ['SERVICE_CREDENTIALS'], env };
  const environment = await stdioEnvironment('files', asked, secrets, signal, 'linux');
  expect(announced).toEqual(['a-key-0123']);
  expect(secretValues(asked, environment)).toEqual(['a-key-0123']);
});

test('answers hold neither the secrets of the variables, passwords in addresses, nor those of the arguments', () => {
  const args = ['--api-key', 'argument-key-0123456789'];
  const asked = { ...transport, isolation, args, inherit: ['API_KEY'], env: { DATABASE_URL: 'x' } };
  const env = { API_KEY: 'inherited-key-0123456789', DATABASE_URL: 'postgres://ann:pass-word-0123@db/x' };
  const kept = keptValues(asked, env);
  expect(kept).toContain('inherited-key-0123456789');
  expect(kept).toContain('pass-word-0123');
  expect(kept).toContain('argument-key-0123456789');
});
