import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryHome } from '../cli/command-run.ts';
import { type OpenMeteoDouble, startOpenMeteoDouble } from '../cli/open-meteo-double.ts';
import { followPage } from './follow-page.ts';

// whole stories of processes: how long they take is the machine's to say
vi.setConfig({ testTimeout: 120_000 });

/** An API with the tags, paths and operations that a page names. */
function documentOf(operations: ReadonlyArray<{ path: string; id: string; tag: string }>): string {
  const responses = { 200: { description: 'Done.' } };
  const paths = Object.fromEntries(
    operations.map(({ path, id, tag }) => [path, { get: { operationId: id, tags: [tag], responses } }]),
  );
  const info = { title: 'Guide', version: '1' };
  return JSON.stringify({ openapi: '3.1.0', info, servers: [{ url: 'https://api.example.com' }], paths });
}

describe('README.md', () => {
  const crib = temporaryHome();
  let meteo: OpenMeteoDouble;
  beforeAll(async () => {
    meteo = await startOpenMeteoDouble();
  });
  afterAll(() => meteo.close());

  it('leads from nothing to a first call', async () => {
    await writeFile(
      crib.path('my-openapi.yaml'),
      documentOf([{ path: '/pets', id: 'listPets', tag: 'pets' }]),
    );
    const online = ['tools', 'tokens', 'search', 'describe', 'call', 'doctor'];
    const lines = await followPage('README.md', {
      home: crib.home,
      run: crib.run,
      env: { EXAMPLE_TOKEN: 'token-of-the-example' },
      words: { 'https://api.example.com/openapi.json': 'my-openapi.yaml' },
      options: ([name = '']) => (online.includes(name) ? ['--base-url', meteo.url] : []),
      skipped: {
        'npm ci && npm start': 'it installs; CI begins with it, and npm start is served below',
        'npm ci && npm test': 'it is what runs here',
        'npm start -- my-openapi.yaml':
          'npm start is `toolcrib start`, which serve.test.ts and start.test.ts run',
        'npx toolcrib admin bootstrap --organisation Acme':
          'its folder has another configuration: teams.test.ts',
      },
    });
    expect(lines.map(({ line }) => line)).toContain('npx toolcrib call searchPlaces name=Reykjavik');
    const search = lines.find(({ line }) => line.startsWith('npx toolcrib search '));
    expect(search?.out).toMatch(/^searchPlaces/);
    expect(meteo.requests).toContain('GET /v1/search?name=Reykjavik');
  });
});

describe('docs/features.md', () => {
  const crib = temporaryHome();

  it('switches what it says, and answers as it shows', async () => {
    const operations = [
      { path: '/daos/{id}', id: 'listDaos', tag: 'daos' },
      { path: '/keys/all', id: 'listKeys', tag: 'keys' },
      { path: '/disks', id: 'DiskResource_wipeDisksRequest', tag: 'disks' },
    ];
    await writeFile(crib.path('openapi.json'), documentOf(operations).replace('/daos/{id}', '/daos'));
    const lines = await followPage('docs/features.md', {
      home: crib.home,
      run: crib.run,
      unnamed: 'toolcrib.yaml',
    });
    expect(lines).toHaveLength(3);
  });
});

describe('docs/openapi.md', () => {
  const crib = temporaryHome();

  it('begins with a document whose request is as it shows', async () => {
    const lines = await followPage('docs/openapi.md', { home: crib.home, run: crib.run });
    expect(lines).toHaveLength(3);
    expect(lines[1]!.out).toContain('shop_cancelOrder');
  });
});

describe('docs/web-providers.md', () => {
  const crib = temporaryHome();
  let site: Server;
  beforeAll(async () => {
    site = createServer((request, response) => {
      const robots = request.url === '/robots.txt';
      response.writeHead(robots ? 404 : 200, { 'content-type': 'text/html' });
      response.end(
        '<!doctype html><title>Tides</title><main><h1>Tides</h1><p>Twice a day, the sea.</p></main>',
      );
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(() => site.close());

  it('begins with a page that is read without an account', async () => {
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    const lines = await followPage('docs/web-providers.md', {
      home: crib.home,
      run: crib.run,
      words: { 'url=https://example.com': `url=http://${host}/` },
      // a page of this machine is read only where the operator names it
      file: (_name, text) =>
        text.replace('scrape: direct', `scrape: { provider: direct, allow: ['${host}'] }`),
    });
    expect(lines.map(({ out }) => out).join()).toContain('Twice a day, the sea.');
  });
});

describe('docs/access.md', () => {
  const crib = temporaryHome();

  it('sets levels, roles and keys as it says', async () => {
    await writeFile(
      crib.path('toolcrib.yaml'),
      [
        'auth: { mode: team }',
        'store: sqlite:./team.db',
        'sources:',
        '  greenhouse: { manifest: greenhouse, credentials: { apiKey: { env: GREENHOUSE_KEY } } }',
      ].join('\n'),
    );
    const made = await crib.run(
      ['admin', 'bootstrap', '--organisation', 'Acme', '--organisation-id', 'acme', '--json'],
      {},
    );
    const { user, key } = JSON.parse(made.out) as { user: { id: string }; key: { record: { id: string } } };
    const lines = await followPage('docs/access.md', {
      home: crib.home,
      run: crib.run,
      env: { GREENHOUSE_KEY: 'key-of-the-guide' },
      words: { USER: user.id, KEY: key.record.id },
      skipped: {
        'toolcrib admin bootstrap --organisation Acme --name Ada --email ada@acme.example':
          'the organisation is there already; teams.test.ts begins with it',
        'toolcrib explain greenhouse_create_candidate --as USER':
          'what it shows depends on the levels above; teams.test.ts holds the same lines in their order',
      },
    });
    expect(lines.length).toBeGreaterThan(8);
  });
});

describe('docs/operations.md', () => {
  const crib = temporaryHome();

  it('makes a backup that can be put back', async () => {
    await cp(
      fileURLToPath(new URL('../../../examples/quickstart/open-meteo.yaml', import.meta.url)),
      crib.path('weather.yaml'),
    );
    await writeFile(
      crib.path('toolcrib.yaml'),
      'store: sqlite:./toolcrib.db\nsources: { weather: { openapi: ./weather.yaml, prefix: none } }\n',
    );
    const meteo = await startOpenMeteoDouble();
    try {
      const called = await crib.run(['call', 'searchPlaces', 'name=Lisbon', '--base-url', meteo.url]);
      expect(called.exit).toBe(0);
    } finally {
      await meteo.close();
    }
    const lines = await followPage('docs/operations.md', { home: crib.home, run: crib.run });
    expect(lines).toHaveLength(3);
    const events = await crib.run(['events', '--json']);
    expect(events.out).toContain('searchPlaces');
    expect(await readFile(crib.path('toolcrib.db'))).toEqual(expect.anything());
  });
});

describe('docs/connect-a-client.md', () => {
  const crib = temporaryHome();

  it('writes entries, shows them, and takes them back', async () => {
    const lines = await followPage('docs/connect-a-client.md', { home: crib.home, run: crib.run });
    expect(lines).toHaveLength(6);
    const written = JSON.parse(
      await readFile(crib.path('.config', 'Claude', 'claude_desktop_config.json'), 'utf8'),
    );
    expect(Object.keys(written.mcpServers)).toEqual(['toolcrib']);
  });
});

describe('docs/lock.md', () => {
  const crib = temporaryHome();

  it('shows a changed definition, and takes it into the lock', async () => {
    const operations = [{ path: '/pets', id: 'getPet', tag: 'pets' }];
    await writeFile(crib.path('pets.json'), documentOf(operations));
    await writeFile(
      crib.path('toolcrib.yaml'),
      'sources: { pets: { openapi: ./pets.json, prefix: none } }\n',
    );
    expect((await crib.run(['compile', '--out', '.'])).exit).toBe(0);
    await writeFile(
      crib.path('pets.json'),
      documentOf(operations).replace('"tags":["pets"]', '"summary":"Changed"'),
    );
    const [diff, accept] = await followPage('docs/lock.md', {
      home: crib.home,
      run: crib.run,
      exits: { 'npx toolcrib compile --diff': 65 },
    });
    expect(diff!.out).toContain('getPet');
    expect(accept!.exit).toBe(0);
    expect((await crib.run(['compile', '--diff'])).exit).toBe(0);
  });
});

describe('docs/upstream-servers.md', () => {
  const crib = temporaryHome();
  const server = fileURLToPath(new URL('../matrix/fixture-stdio.ts', import.meta.url));

  it('takes over what another client has, lists it and starts it once', async () => {
    const mcpServers = { files: { command: process.execPath, args: [server, 'legacy'] } };
    await writeFile(crib.path('.mcp.json'), JSON.stringify({ mcpServers }));
    const lines = await followPage('docs/upstream-servers.md', { home: crib.home, run: crib.run });
    expect(lines).toHaveLength(3);
    for (const { line, out } of lines.slice(1)) expect(out, line).toContain('files');
  });
});

describe('docs/remote.md', () => {
  const crib = temporaryHome();

  it('writes an entry that names the key and does not hold it', async () => {
    await followPage('docs/remote.md', {
      home: crib.home,
      run: crib.run,
      env: { TOOLCRIB_API_KEY: 'tck_guide' },
    });
    const written = await readFile(crib.path('.cursor', 'mcp.json'), 'utf8');
    expect(written).toContain('env:TOOLCRIB_API_KEY');
    expect(written).not.toContain('tck_guide');
  });
});
