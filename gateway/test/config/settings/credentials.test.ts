import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { shownConfiguration } from '../../../src/server/http/shown-configuration.ts';

const FORM = { form: { user: 'clerk', password: { env: 'PASSWORD' } } };
const parse = (login: object) =>
  parseConfiguration({ sources: { pets: { openapi: './pets.yaml', credentials: { login } } } } as never, {
    baseDirectory: '/base',
    env: {},
  });
const loginOf = async (login: object) => {
  const { credentials } = (await parse(login)).sources['pets']!;
  return credentials === 'none' ? undefined : credentials?.login;
};

describe('a login of the service', () => {
  it('has its lifetime in milliseconds and its files from any folder, in lists too', async () => {
    const body = { user: 'clerk', methods: ['password', { file: 'area' }], password: { file: 'pass' }, n: 1 };
    expect(await loginOf({ url: '/login', body, lifetime: '8h' })).toEqual({
      url: '/login',
      lifetime: 8 * 3_600_000,
      body: {
        ...body,
        methods: ['password', { file: resolve('/base/area') }],
        password: { file: resolve('/base/pass') },
      },
    });
    expect(await loginOf({ ...FORM, lifetime: 5000 })).toEqual({ ...FORM, lifetime: 5000 });
  });

  it('says by which answers a session ends', async () => {
    const ended = [{ status: 440 }, { status: 200, body: { '/error/data': 'Ended.', '/error/code': -1 } }];
    expect(await loginOf({ ...FORM, ended })).toEqual({ ...FORM, ended });
  });

  it.each<[object, string, RegExp]>([
    [{}, '', /body, a form or basic/],
    [{ url: '/login', headers: undefined }, '', /body, a form or basic/],
    [{ ...FORM, body: {} }, '', /not both/],
    [{ ...FORM, method: 'GET' }, '', /GET/],
    [{ ...FORM, method: 'DELETE' }, '/method', /./],
    [{ ...FORM, url: 'login' }, '/url', /below the base URL/],
    [{ ...FORM, url: '//elsewhere.example.org/login' }, '/url', /below the base URL/],
    [{ ...FORM, url: 'ftp://elsewhere.example.org' }, '/url', /below the base URL/],
    [{ ...FORM, token: 'access_token' }, '/token', /JSON Pointer/],
    [{ ...FORM, token: { cookie: '' } }, '/token', /./],
    [{ ...FORM, tokenType: 'Token abc' }, '/tokenType', /one word/],
    [{ ...FORM, lifetime: 'long' }, '/lifetime', /duration/],
    [{ url: '/x', body: { password: '${PASSWORD}' } }, '/body/password', /./],
    [{ url: '/x', body: { a: [{ b: '${PASSWORD}' }] } }, '/body/a', /./],
    [{ ...FORM, headers: { Host: 'x' } }, '/headers/Host', /./],
    [{ ...FORM, user: 'x' }, '/user', /./],
    [{ ...FORM, ended: [] }, '/ended', /Name an answer/],
    [{ ...FORM, ended: { status: 440 } }, '/ended', /array/],
    [{ ...FORM, ended: [{ body: { '/code': 209 } }] }, '/ended/0/status', /missing/],
    [{ ...FORM, ended: [{ status: 4000 }] }, '/ended/0/status', /from 200 to 599/],
    [{ ...FORM, ended: [{ status: 401 }] }, '/ended/0/status', /leave it out/],
    [{ ...FORM, ended: [{ status: 200 }] }, '/ended/0', /only a status from 400 to 499 says so alone/],
    [{ ...FORM, ended: [{ status: 440 }, { status: 500 }] }, '/ended/1', /says so alone/],
    [{ ...FORM, ended: [{ status: 400, body: {} }] }, '/ended/0/body', /Name what stands/],
    [{ ...FORM, ended: [{ status: 400, body: { code: 209 } }] }, '/ended/0/body/code', /JSON Pointer/],
    [{ ...FORM, ended: [{ status: 400, body: { '/a': [1] } }] }, '/ended/0/body/~1a', /Expected/],
    [{ ...FORM, ended: [{ status: 400, value: 209 }] }, '/ended/0/value', /Unknown key/],
  ])('%j is refused', async (login, at, words) => {
    const failure = await parse(login).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'configuration_invalid' });
    const { pointer, message } = failure as { pointer: string; message: string };
    expect(pointer).toContain(`#/sources/pets/credentials/login${at}`);
    expect(message).toMatch(words);
  });

  it('is shown without what stands in it', async () => {
    const shown = JSON.stringify(
      shownConfiguration(await parse({ url: '/login', body: { user: 'clerk', password: 'sesame-open' } })),
    );
    expect(shown).not.toContain('sesame-open');
    expect(JSON.stringify(shownConfiguration(await parse(FORM)))).toContain('env:PASSWORD');
  });
});

describe('a program that prints a secret', () => {
  const sourceWith = async (credentials: object, more: object = {}) =>
    (
      await parseConfiguration(
        { sources: { pets: { openapi: './pets.yaml', credentials, ...more } } } as never,
        { baseDirectory: '/base', env: { HOME: '/home/ann' } },
      )
    ).sources['pets']!;

  it('is looked for in the PATH by its bare name, else from the folder of the configuration, where it runs', async () => {
    const { credentials } = await sourceWith({
      bearer: { command: ['gh', 'auth', 'token'] },
      schemes: { key: { apiKey: { command: ['./bin/key', './as/it/stands'] } } },
      login: { ...FORM, form: { user: 'clerk', password: { command: ['~/bin/pass'] } } },
    });
    expect(credentials).toMatchObject({
      bearer: { command: ['gh', 'auth', 'token'], folder: '/base' },
      schemes: {
        key: { apiKey: { command: [resolve('/base/bin/key'), './as/it/stands'], folder: '/base' } },
      },
      login: { form: { password: { command: [resolve('/home/ann/bin/pass')], folder: '/base' } } },
    });
  });

  it.each([
    ['without a word', { bearer: { command: [] } }, {}, /Name the program, then its arguments/],
    ['as a line', { bearer: { command: 'gh auth token' } }, {}, /Expected array/],
    [
      'for what is read at the start',
      {},
      { headers: { 'X-Key': { command: ['gh'] } } },
      /read once, at the start/,
    ],
  ])('%s is refused', async (_, credentials, more, words) => {
    await expect(sourceWith(credentials, more)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringMatching(words),
    });
  });

  it('is shown without its arguments', async () => {
    const configuration = await parseConfiguration(
      {
        sources: {
          pets: { openapi: './pets.yaml', credentials: { bearer: { command: ['vault', 'read', 'home'] } } },
        },
      } as never,
      { baseDirectory: '/base', env: {} },
    );
    expect(shownConfiguration(configuration)).toMatchObject({
      sources: { pets: { credentials: { bearer: 'command:vault' } } },
    });
  });
});
