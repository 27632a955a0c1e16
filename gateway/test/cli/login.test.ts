import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OAuthDouble, startOAuthServer } from '../doubles/oauth-server.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
let oauth: OAuthDouble;
let api: string;
const service = createServer((request, response) => {
  const scopes = oauth.scopesOf(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
  const status = scopes?.includes('events.read') ? 200 : 401;
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ events: ['lunch'] }));
});

beforeAll(async () => {
  oauth = await startOAuthServer();
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  api = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const flow = {
    authorizationUrl: `${oauth.origin}/authorize`,
    tokenUrl: `${oauth.origin}/token`,
    scopes: { 'events.read': 'See events.', 'events.write': 'Change events.' },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Calendar', version: '1' },
    servers: [{ url: api }],
    components: { securitySchemes: { login: { type: 'oauth2', flows: { authorizationCode: flow } } } },
    security: [{ login: ['events.read'] }],
    paths: { '/events': { get: { operationId: 'listEvents', responses: { 200: { description: 'ok' } } } } },
  };
  await writeFile(crib.path('calendar.json'), JSON.stringify(document));
  await writeFile(crib.path('toolcrib.yaml'), JSON.stringify(configuration({ scopes: ['events.read'] })));
  // a browser in which the person agrees at once
  await writeFile(
    crib.path('browser'),
    `#!/bin/sh
exec '${process.execPath}' -e 'fetch(process.argv[1]).then((page) => process.exit(page.ok ? 0 : 1))' "$1"
`,
    { mode: 0o755 },
  );
});
afterAll(async () => {
  await oauth.close();
  service.closeAllConnections();
  service.close();
});

const configuration = (oauth2: object) => ({
  sources: {
    calendar: {
      openapi: './calendar.json',
      credentials: { oauth2: { clientId: 'crib', tokenFile: './kept/calendar.json', ...oauth2 } },
      baseUrl: api,
    },
    clock: { openapi: './calendar.json' },
  },
  egress: { allow: [oauth.origin, api] },
  store: 'none',
});

const call = () => crib.run(['call', 'calendar_listEvents', '--json']);

describe('toolcrib login', () => {
  it('signs a person in, and calls go out as that person', async () => {
    const before = await call();
    expect(before.exit).toBe(77);
    expect(before.out + before.err).toContain('toolcrib login calendar');

    const { exit, out, err } = await crib.run(['login', 'calendar'], {
      env: { BROWSER: crib.path('browser') },
    });
    expect(err).toContain(`${oauth.origin}/authorize?`);
    expect(err).toContain('Signed in to calendar: events.read.');
    expect(out).toBe('');
    expect(exit).toBe(0);

    const kept = await readFile(crib.path('kept', 'calendar.json'), 'utf8');
    expect((await stat(crib.path('kept', 'calendar.json'))).mode & 0o777).toBe(0o600);
    expect(err).not.toContain(JSON.parse(kept).accessToken);
    const after = await call();
    expect(after.exit).toBe(0);
    expect(after.out).toContain('lunch');
    // a token that the service no longer takes is renewed on the way
    oauth.revoke('access');
    expect((await call()).out).toContain('lunch');
  });

  it('takes the address that a browser on another machine ended at', async () => {
    const paste = async (shown: string) => {
      const asked = shown.split('\n').find((line) => line.startsWith(oauth.origin))!;
      const answer = (await fetch(asked, { redirect: 'manual' })).headers.get('location')!;
      const other = answer.replace(/state=[^&]+/, 'state=another');
      const elsewhere = answer.replace('127.0.0.1', 'localhost');
      return ['', other, elsewhere, 'what?', `${answer}&code=twice`, `  ${answer}`];
    };
    const { exit, err } = await crib.run(['login', 'calendar', '--no-browser'], { paste });
    expect(err).toContain('paste it here');
    expect(err.match(/That is no answer to this sign-in\./g)).toHaveLength(4);
    expect(err).toContain('Signed in to calendar');
    expect(exit).toBe(0);
  });

  it('says in JSON what came of it, and the doctor knows', async () => {
    const { out } = await crib.run(['login', 'calendar', '--json'], {
      env: { BROWSER: crib.path('browser') },
    });
    expect(JSON.parse(out)).toEqual({
      source: 'calendar',
      signedIn: true,
      scopes: ['events.read'],
      renewable: true,
      expiresAt: expect.stringMatching(/^\d{4}-/),
    });
    const findings = JSON.parse((await crib.run(['doctor', '--json'])).out).findings;
    const message = expect.stringContaining('somebody has signed in');
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'credentials of calendar', status: 'ok', message }),
    );
  });

  it.each<[string, string[], RegExp]>([
    [
      'an unknown source',
      ['login', 'calender'],
      /error source_unknown: There is no source "calender"\. Did you mean "calendar"/,
    ],
    [
      'a source without a place for tokens',
      ['login', 'clock'],
      /No sign-in to source "clock".*\n.*tokenFile/,
    ],
    ['an unknown scheme', ['login', 'calendar', '--scheme', 'other'], /for scheme other; it has: login/],
    [
      'a person who does not come',
      ['login', 'calendar', '--timeout', '300'],
      /Nobody signed in to "calendar" in time/,
    ],
  ])('%s is an error', async (_what, argv, message) => {
    const { exit, err } = await crib.run(argv, { env: { BROWSER: 'none' } });
    expect(exit).not.toBe(0);
    expect(err).toMatch(message);
  });

  it('asks which scopes, rather than for all', async () => {
    await writeFile(crib.path('other.yaml'), JSON.stringify(configuration({})));
    const { exit, err } = await crib.run(['login', 'calendar', '--config', 'other.yaml']);
    expect(exit).toBe(78);
    expect(err).toContain('events.read, events.write');
  });
});

describe('toolcrib logout', () => {
  const signIn = () => crib.run(['login', 'calendar'], { env: { BROWSER: crib.path('browser') } });

  it('ends the tokens at the provider, and calls ask for a sign-in again', async () => {
    await signIn();
    const revocationUrl = `${oauth.origin}/revoke`;
    const oauth2 = { scopes: ['events.read'], revocationUrl };
    await writeFile(crib.path('ending.yaml'), JSON.stringify(configuration(oauth2)));
    const { exit, err } = await crib.run(['logout', 'calendar', '--config', 'ending.yaml']);
    expect(err).toContain('Signed out of calendar: its tokens are ended at the provider');
    expect(exit).toBe(0);
    expect(oauth.revocations.map((form) => form['token_type_hint'])).toEqual([
      'refresh_token',
      'access_token',
    ]);
    expect((await call()).exit).toBe(77);
    const again = await crib.run(['logout', 'calendar', '--json']);
    expect(JSON.parse(again.out)).toEqual({ source: 'calendar', signedOut: false, revoked: false });
  });

  it('says so where the tokens stay good', async () => {
    await signIn();
    const { exit, err } = await crib.run(['logout', 'calendar']);
    expect(err).toMatch(/removed here\. They stay good until they expire.*names no address for it/);
    expect(exit).toBe(0);
    await signIn();
    expect((await crib.run(['logout', 'calendar', '--local'])).err).toMatch(/end them at the provider\.$/m);
  });

  it('knows the sources that there are', async () => {
    const { exit, err } = await crib.run(['logout', 'calender']);
    expect(err).toMatch(/error source_unknown: There is no source "calender".*calendar/);
    expect(exit).toBe(64);
  });
});
