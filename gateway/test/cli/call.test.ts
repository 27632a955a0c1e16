import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryHome } from './command-run.ts';
import { type OpenMeteoDouble, startOpenMeteoDouble } from './open-meteo-double.ts';
import { runCommand } from './spawned-command.ts';

const crib = temporaryHome();
let meteo: OpenMeteoDouble;
beforeAll(async () => {
  meteo = await startOpenMeteoDouble();
});
afterAll(() => meteo.close());

const call = (...words: string[]) => crib.run(['call', '--base-url', meteo.url, ...words]);
const lastRequest = () => meteo.requests.at(-1);

describe('toolcrib call, on the quickstart', () => {
  it('answers with the structured result', async () => {
    const { exit, out, err } = await call('searchPlaces', 'name=Lisbon');
    expect(err).toBe('');
    expect(exit).toBe(0);
    expect(JSON.parse(out).results[0]).toMatchObject({ name: 'Lisbon', latitude: 38.71667 });
    expect(lastRequest()).toBe('GET /v1/search?name=Lisbon');
  });

  it('joins lists by commas, as the document says', async () => {
    const { exit } = await call(
      'getForecast',
      'latitude=38.72',
      'longitude=-9.14',
      'current=temperature_2m,weather_code',
      'daily=sunrise',
    );
    expect(exit).toBe(0);
    expect(lastRequest()).toBe(
      'GET /v1/forecast?latitude=38.72&longitude=-9.14&current=temperature_2m,weather_code&daily=sunrise',
    );
  });

  it('shows the exact request and sends nothing with --dry-run and --curl', async () => {
    const before = meteo.requests.length;
    const words = ['searchPlaces', 'name=São Tomé', '--header', 'X-Api-Token: hidden'];
    const dry = await call(...words, '--dry-run');
    expect(dry.exit).toBe(0);
    expect(dry.out).toMatch(new RegExp(`^GET ${meteo.url}/v1/search\\?name=S%C3%A3o%20Tom%C3%A9\n`));
    expect(dry.out).not.toContain('hidden');
    expect(dry.err).toMatch(/Nothing was sent/);
    const curl = await call(...words, '--curl');
    expect(curl.out).toMatch(/^curl -X GET/);
    expect(curl.out).not.toContain('hidden');
    const asJson = await call(...words, '--curl', '--json');
    expect(JSON.parse(asJson.out)).toMatchObject({ kind: 'completed', curl: curl.out.trimEnd() });
    expect(meteo.requests).toHaveLength(before);
  });

  it.each(['hybrid', 'search'])(
    'calls and describes operations by name or place, whatever %s lists',
    async (topology) => {
      const { exit, out } = await call('searchPlaces', 'name=Lisbon', '--topology', topology);
      expect(exit).toBe(0);
      expect(JSON.parse(out).results[0]).toMatchObject({ name: 'Lisbon' });
      const described = await crib.run(['describe', 'GET /v1/search', '--topology', topology]);
      expect(described.out).toContain('searchPlaces');
    },
  );

  it('leads from a name that became no tool to what was left out', async () => {
    const paths = {
      '/a': {
        get: { operationId: 'get', responses: { 200: { description: 'ok' } } },
        trace: { operationId: 'echo', responses: { 200: { description: 'ok' } } },
      },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'A', version: '1' },
      servers: [{ url: 'https://a.example' }],
      paths,
    };
    await writeFile(crib.path('left-out.json'), JSON.stringify(document));
    const left = await crib.run(['call', 'echo', '--spec', 'left-out.json']);
    expect([left.exit, left.err]).toEqual([
      64,
      expect.stringContaining('`toolcrib compile` says what was left out, and why'),
    ]);
    delete (paths['/a'] as Partial<(typeof paths)['/a']>).trace;
    await writeFile(crib.path('whole.json'), JSON.stringify(document));
    const whole = await crib.run(['call', 'echo', '--spec', 'whole.json']);
    expect(whole.err).toContain('next: `toolcrib tools` lists those that are there.');
  });

  it('refuses wrong arguments before anything is sent', async () => {
    const before = meteo.requests.length;
    const { exit, err } = await call('getForecast', 'latitude=91', 'longitude=x', 'dayly=sunrise');
    expect(exit).toBe(65);
    expect(err).toMatch(/error arguments_invalid: /);
    for (const name of ['latitude', 'longitude', 'dayly']) expect(err).toContain(name);
    expect(meteo.requests).toHaveLength(before);
  });

  it('passes on what the service says', async () => {
    const { exit, out, err } = await call('getForecast', 'latitude=0', 'longitude=0');
    expect(exit).toBe(69);
    expect(out).toBe('');
    expect(err).toMatch(/error upstream_status: .*Out of the sea/s);
  });

  it('prints the whole result with --json, errors included', async () => {
    const good = await call('searchPlaces', 'name=Lisbon', '--json');
    expect(JSON.parse(good.out)).toMatchObject({
      kind: 'completed',
      structured: { results: [{ name: 'Lisbon' }] },
    });
    const bad = await call('getForecast', 'latitude=0', 'longitude=0', '--json');
    expect(bad.exit).toBe(69);
    expect(JSON.parse(bad.out)).toMatchObject({ error: { code: 'upstream_status', status: 400 } });
  });

  it('knows no other tool, but names the nearest', async () => {
    const { exit, err } = await call('searchPlace', 'name=x');
    expect(exit).toBe(64);
    expect(err).toMatch(/There is no tool "searchPlace"\. Did you mean "searchPlaces"\?/);
  });

  it('goes to no service by a name that two of them have', async () => {
    const remove = { operationId: 'removeUser', responses: { 204: { description: '' } } };
    const document = {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: { '/u': { put: remove } },
    };
    await writeFile(crib.path('users.json'), JSON.stringify(document));
    const source = { openapi: './users.json', baseUrl: meteo.url };
    await writeFile(crib.path('two.yaml'), JSON.stringify({ sources: { test: source, live: source } }));
    const run = (name: string) => crib.run(['call', '--config', 'two.yaml', '--dry-run', name]);
    for (const name of ['removeUser', 'PUT /u'])
      expect(await run(name)).toMatchObject({
        exit: 64,
        err: expect.stringMatching(
          /operation_ambiguous: .* names several operations: live_removeUser, test_removeUser\./,
        ),
      });
    expect((await run('live/removeUser')).out).toMatch(/^PUT .*\/u/);
  });

  it('says which topology has a tool that is called', async () => {
    expect(await call('call_endpoint', 'operation=searchPlaces')).toMatchObject({
      exit: 64,
      err: expect.stringMatching(
        /"call_endpoint" here: it is one of the topology hybrid\.\n.*--topology hybrid/,
      ),
    });
  });

  it('says that the quickstart was asked, where nothing else is here', async () => {
    await mkdir(crib.path('elsewhere'), { recursive: true });
    const { err } = await crib.run(['call', 'list_pets'], { cwd: crib.path('elsewhere') });
    expect(err).toMatch(/There is no tool "list_pets"\.\n {2}next: The quickstart was asked: .*--config/);
  });

  it('says where to look for a tool that was left out', async () => {
    await mkdir(crib.path('broken/skills/poems'), { recursive: true });
    await writeFile(
      crib.path('broken/skills/poems/SKILL.md'),
      '---\nname: poems\ndescription: Counts lines.\n---\n',
    );
    await writeFile(
      crib.path('broken/skills/poems/tool-manifest.yaml'),
      'tools: [{ name: count_lines, description: x, executor: { entry: gone.sh } }]',
    );
    await writeFile(crib.path('broken/toolcrib.yaml'), 'sources: { all: { skills: [ skills ] } }');
    const { exit, err } = await crib.run(['call', '--config', 'broken/toolcrib.yaml', 'count_lines']);
    expect(exit).toBe(64);
    expect(err).toMatch(/next: .*`toolcrib compile` says what was left out, and why/);
  });

  it('blocks a loopback address that only the document names', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      servers: [{ url: meteo.url }],
      paths: { '/v1/search': { get: { operationId: 'find', responses: { 200: { description: '' } } } } },
    };
    await writeFile(crib.path('private.json'), JSON.stringify(document));
    const refused = await crib.run(['call', '--spec', 'private.json', 'find']);
    expect(refused.exit).toBe(77);
    expect(refused.err).toMatch(/error egress_blocked: /);
    const allowed = await crib.run([
      'call',
      '--spec',
      'private.json',
      '--allow-private',
      '127.0.0.1',
      'find',
    ]);
    expect(allowed.exit).toBe(0);
  });

  it('sends the credential that an option names, and shows it nowhere', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } } },
      security: [{ key: [] }],
      paths: { '/v1/search': { get: { operationId: 'find', responses: { 200: { description: '' } } } } },
    };
    await writeFile(crib.path('keyed.json'), JSON.stringify(document));
    await writeFile(crib.path('key.txt'), 'k-123\n');
    const words = ['call', '--spec', 'keyed.json', '--base-url', meteo.url, 'find'];
    const missing = await crib.run(words);
    expect(missing.exit).toBe(77);
    expect(missing.err).toMatch(/error credentials_missing: /);
    const dry = await crib.run([...words, '--auth', 'key=file:key.txt', '--dry-run']);
    expect(dry.out).not.toContain('k-123');
    expect(await crib.run([...words, '--auth', 'key=file:key.txt'])).toMatchObject({ exit: 0 });
    expect(lastRequest()).toBe('GET /v1/search?api_key=k-123');
  });
});

describe('an answer other than the promised object', () => {
  let service: Server;
  const run = (file: string, tool = file) => {
    const { port } = service.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}`;
    return crib.run(['call', '--spec', `${file}.json`, '--base-url', base, tool]);
  };
  const runReport = (tool = 'report') => run('report', tool);
  const callReport = async () => (await runReport()).out;
  let answer: (response: ServerResponse) => void;
  beforeAll(async () => {
    service = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const schema = { type: 'array', items: { type: 'string' } };
    const responses = { 200: { description: '', content: { 'application/json': { schema } } } };
    const paths = {
      '/report': { get: { operationId: 'report', responses } },
      '/log': { get: { operationId: 'log', responses: { 200: { description: '' } } } },
    };
    await writeFile(
      crib.path('report.json'),
      JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths }),
    );
    const build = { operationId: 'build', responses: { 200: { description: '' } } };
    await writeFile(
      crib.path('build.json'),
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 't', version: '1' },
        paths: { '/build': { post: build } },
      }),
    );
  });
  afterAll(() => service.close());

  it('is shown as what it is: a file where it lies', async () => {
    answer = (response) => response.setHeader('content-type', 'application/zip').end('PK\u0003\u0004');
    expect(await callReport()).toMatch(/^The service answered 4 bytes .+\n\[report\.zip: toolcrib:/);
  });

  it('is shown as what it is: nothing', async () => {
    answer = (response) => response.writeHead(204).end();
    expect(await callReport()).toBe('Done: the service answered 204 No Content.\n');
  });

  it('goes to standard output, and what its headers say beside it to the other', async () => {
    answer = (response) => {
      const headers = { 'content-type': 'application/json', location: '/report/7', 'x-total-count': '2' };
      response.writeHead(201, headers).end('["a"]');
    };
    const { out, err } = await runReport();
    expect(JSON.parse(out)).toEqual({ result: ['a'] });
    expect(err).toBe('Headers of the answer:\nLocation: /report/7\nX-Total-Count: 2\n');
  });

  it('stands beside the reason where a write was not done', async () => {
    const step = '{"stream":"Step 1/2"}';
    const failed = '{"error":"COPY failed"}';
    answer = (response) => response.setHeader('content-type', 'application/json').end(`${step}\n${failed}\n`);
    const { exit, out, err } = await run('build');
    expect(exit).toBe(69);
    expect(err).toMatch(/^warning: .*\nerror upstream_status: POST \/build .*COPY failed\.\n {2}next: .*\n$/);
    expect(JSON.parse(out)).toEqual([JSON.parse(step), JSON.parse(failed)]);
  });

  it('has its warnings on standard error alone, once', async () => {
    answer = (response) => response.setHeader('content-type', 'application/json').end('{"a":1}\n{"a":2}\n');
    const rows = await runReport();
    expect(JSON.parse(rows.out)).toEqual({ result: [{ a: 1 }, { a: 2 }] });
    expect(rows.err).toMatch(/^(?:warning: [^\n]+\n)+$/);
    answer = (response) => response.setHeader('content-type', 'text/plain').end(Buffer.from([0xe9, 0x20]));
    const text = await runReport('log');
    expect(text.out).toMatch(/^\ufffd \n\[log\.txt: toolcrib:[^\n]+\]\n$/);
    expect(text.err).toMatch(/^warning: Some of the answer is no utf-8 [^\n]+\n$/);
  });

  it('is JSON where it is that: null', async () => {
    answer = (response) => response.setHeader('content-type', 'application/json').end('null');
    expect(JSON.parse(await callReport())).toEqual({ result: null });
  });
});

it.skipIf(process.platform === 'win32')('goes through the socket that the configuration names', async () => {
  const asked: unknown[] = [];
  const service = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    response.end('{}');
  }).listen(crib.path('api.sock'));
  await once(service, 'listening');
  onTestFinished(() => void service.close());
  const paths = { '/info': { get: { operationId: 'info', responses: { 200: { description: '' } } } } };
  await writeFile(
    crib.path('engine.json'),
    JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths }),
  );
  const engine = { openapi: './engine.json', baseUrl: 'http://engine/v1', socketPath: './api.sock' };
  await writeFile(crib.path('engine.yaml'), JSON.stringify({ sources: { engine } }));
  const run = (...words: string[]) => crib.run([...words, '--config', 'engine.yaml']);
  expect(await run('call', 'engine_info')).toMatchObject({ exit: 0, err: '' });
  expect((await run('call', 'engine_info', '--curl')).out).toContain(
    `--unix-socket ${crib.path('api.sock')}`,
  );
  expect(asked).toEqual(['engine/v1/info']);
  const said = (await run('doctor')).out;
  expect(said).toContain(`http://engine answers through ${crib.path('api.sock')} (200)`);
  service.closeAllConnections();
  service.close();
  await once(service, 'close');
  expect(await run('call', 'engine_info')).toMatchObject({
    exit: 69,
    err: expect.stringContaining(`There is no socket ${crib.path('api.sock')} (ENOENT)`),
  });
  expect((await run('doctor')).out).toContain('let the user that runs the gateway open it');
});

it('shows on a terminal what a slow tool says that it is doing', async () => {
  const server = join(import.meta.dirname, '..', 'upstreams', 'fixtures', 'scripted-server.mjs');
  const up = { command: process.execPath, args: [server], env: { SCRIPT: '{}' } };
  await writeFile(crib.path('slow.json'), JSON.stringify({ mcpServers: { up } }));
  const run = (...more: string[]) =>
    crib.run(['call', 'up_progress', '--config', 'slow.json', ...more], { live: true });
  expect(await run()).toMatchObject({ exit: 0, err: 'step 1\nstep 2\nstep 3\n' });
  expect((await run('--json')).err).toBe('');
});

describe('toolcrib call, as a process', () => {
  it('takes arguments from standard input and ends by itself', async () => {
    const { exit, out, err } = await runCommand(
      ['call', '--base-url', meteo.url, 'searchPlaces', '-'],
      { cwd: crib.home },
      '{"name":"Lisbon","count":1}',
    );
    expect(err).toBe('');
    expect(exit).toBe(0);
    expect(JSON.parse(out).results).toHaveLength(1);
    expect(lastRequest()).toBe('GET /v1/search?name=Lisbon&count=1');
  });
});
