import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';
import { runCommand } from './spawned-command.ts';

const crib = temporaryHome();

const document = (limit: number) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        summary: 'One pet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok' } },
      },
      delete: {
        operationId: 'deletePet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: { description: 'gone' } },
      },
    },
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: limit } },
          { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: { 200: { description: 'ok' } },
      },
      post: {
        operationId: 'addPet',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'made' } },
      },
    },
  },
  webhooks: { petBorn: { post: { responses: { 200: { description: 'ok' } } } } },
});

beforeAll(() => writeFile(crib.path('pets.json'), JSON.stringify(document(100))));

describe('toolcrib compile', () => {
  it('prints the dump: tools with operation and bindings, what was skipped, diagnostics', async () => {
    const { exit, out } = await crib.run(['compile', 'pets.json', '--json']);
    expect(exit).toBe(0);
    const dump = JSON.parse(out);
    expect(dump.tools.map(({ name }: { name: string }) => name)).toEqual([
      'addPet',
      'deletePet',
      'getPet',
      'listPets',
    ]);
    const byName = Object.fromEntries(dump.tools.map((tool: { name: string }) => [tool.name, tool]));
    expect(byName.getPet).toMatchObject({
      description: expect.stringContaining('One pet'),
      inputSchema: { type: 'object', required: ['id'] },
      annotations: { readOnlyHint: true, destructiveHint: false },
      operation: { id: 'getPet', method: 'GET', path: '/pets/{id}', access: 'read' },
      bindings: [{ arg: 'id', in: 'path', name: 'id' }],
    });
    expect(byName.deletePet.operation.access).toBe('delete');
    expect(byName.listPets.bindings).toContainEqual(
      expect.objectContaining({ arg: 'tags', in: 'query', name: 'tags', explode: false }),
    );
    expect(byName.addPet.bindings).toEqual([
      { arg: 'name', in: 'body', name: 'name', contentType: 'application/json' },
    ]);
    expect(Array.isArray(dump.skipped) && Array.isArray(dump.diagnostics)).toBe(true);
  });

  it('says the same in words', async () => {
    const { out } = await crib.run(['compile', 'pets.json']);
    expect(out).toMatch(/^4 tools \(1 delete, 1 write, 2 read\)/);
  });

  it('many warnings of one kind do not hide one of another', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`/p${index}/{id}`, { get: { responses: {} } }]),
    );
    const parameters = [{ in: 'query', name: 'a', style: 'simple', schema: { type: 'string' } }];
    const last = { '/last': { get: { parameters, responses: {} } } };
    const file = { ...document(100), paths: { ...paths, ...last }, webhooks: {} };
    await writeFile(crib.path('many.json'), JSON.stringify(file));
    const { out } = await crib.run(['compile', 'many.json']);
    expect(out.match(/^warning/gm)).toHaveLength(20);
    expect(out).toMatch(/^warning style-invalid: .*\n.*\n… and 21 more of warning/m);
  });

  it('has nothing to say about the quickstart', async () => {
    const { tools, diagnostics } = JSON.parse((await crib.run(['compile', '--json'])).out);
    // an upload can be sent in two ways, and no tool is made of it
    const told = diagnostics.filter(({ code }: { code: string }) => code !== 'content-types-unused');
    expect(told).toEqual([]);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([
        'searchPlaces',
        'getForecast',
        'getAirQuality',
        'gateway_listTools',
        'gateway_getFindings',
      ]),
    );
  });

  it('reads a document from standard input', async () => {
    const { exit, out, err } = await runCommand(
      ['compile', '-', '--json'],
      { cwd: crib.home },
      JSON.stringify(document(5)),
    );
    expect(err).toBe('');
    expect(exit).toBe(0);
    expect(JSON.parse(out).tools).toHaveLength(4);
  });

  it('writes into no file', async () => {
    const { exit, err } = await crib.run(['compile', 'pets.json', '--out', 'pets.json']);
    expect(exit).toBe(73);
    expect(err).toMatch(/^error file_unusable: .*pets\.json is a file\.\n.*\n.*Name a folder after --out/);
  });

  it('leaves no trace without --out', async () => {
    expect(await readdir(crib.home)).not.toContain('toolcrib.lock.json');
  });

  it('writes lock and report, shows what changed since, and accepts it', async () => {
    const out = crib.path('locked');
    const first = await crib.run(['compile', 'pets.json', '--out', out]);
    expect(first.exit).toBe(0);
    expect((await readdir(out)).sort()).toEqual(['toolcrib.lock.json', 'toolcrib.report.json']);
    const lock = await readFile(`${out}/toolcrib.lock.json`, 'utf8');
    const report = await readFile(`${out}/toolcrib.report.json`, 'utf8');
    expect(JSON.parse(report)).toMatchObject({ skipped: [{ reason: expect.stringContaining('webhook') }] });
    await crib.run(['compile', 'pets.json', '--out', out]);
    expect(await readFile(`${out}/toolcrib.report.json`, 'utf8')).toBe(report);
    expect(await crib.run(['compile', 'pets.json', '--out', out, '--diff'])).toMatchObject({
      exit: 0,
      out: '',
    });
    await writeFile(crib.path('pets.json'), JSON.stringify(document(1000)));
    await crib.run(['compile', 'pets.json', '--out', out]);
    expect(await readFile(`${out}/toolcrib.lock.json`, 'utf8')).toBe(lock);
    const diff = await crib.run(['compile', 'pets.json', '--out', out, '--diff']);
    expect(diff.exit).toBe(65);
    expect(diff.out).toMatch(/~ listPets\n.*maximum.*100.*1000/s);
    expect(await crib.run(['compile', 'pets.json', '--out', out, '--accept', 'listPet'])).toMatchObject({
      exit: 64,
      err: expect.stringContaining('There is no tool "listPet" to accept. Did you mean "listPets"?'),
    });
    const accepted = await crib.run(['compile', 'pets.json', '--out', out, '--accept', 'listPets']);
    expect(accepted.out).toMatch(/Accepted listPets/);
    expect(await crib.run(['compile', 'pets.json', '--out', out, '--diff'])).toMatchObject({ exit: 0 });
  });

  it.each([
    [['compile', 'absent.json'], 66, /error source_unreadable/],
    [['compile', 'broken.json'], 65, /error source_invalid/],
  ])('%j fails with exit code %d', async (argv, exit, message) => {
    await writeFile(crib.path('broken.json'), '{"openapi": ');
    const run = await crib.run(argv);
    expect(run.exit).toBe(exit);
    expect(run.err).toMatch(message);
    expect(run.err).toMatch(/\n {2}at: {3}/);
  });
});

describe('looking at tools', () => {
  const pets = (...argv: string[]) => crib.run([...argv, '--spec', 'pets.json']);

  it('tools lists them', async () => {
    const { out, err } = await pets('tools');
    expect(out).toMatch(/^addPet +write/m);
    expect(out).toMatch(/^getPet +read +One pet/m);
    expect(err).toMatch(/4 tools/);
    expect(JSON.parse((await pets('tools', '--json')).out)[0]).toMatchObject({
      name: 'addPet',
      inputSchema: {},
    });
  });

  it('says what could not be read, where something is missing', async () => {
    await writeFile(
      crib.path('gone.yaml'),
      'sources: { pets: { openapi: pets.json } }\nmcpServers: { gone: { command: ./no-such-program } }',
    );
    const failed = 'source-failed: Source gone could not be read: The server "gone" did not start';
    const { out, err } = await crib.run(['tools', '--json', '--config', 'gone.yaml']);
    expect(err).toContain(failed);
    expect(err).toMatch(/^ {2}next: \S/m);
    expect((await crib.run(['compile', '--config', 'gone.yaml'])).out).toMatch(
      /^error source-failed: .*\n(?: {2}at: .*\n)? {2}next: \S/m,
    );
    expect(JSON.parse(out)).toHaveLength(4);
    expect((await crib.run(['call', 'gone_read', '--config', 'gone.yaml'])).err).toMatch(
      /There is no tool "gone_read"[\s\S]*\(gone\): `toolcrib doctor` says why/,
    );
  });

  it('says where credentials are never sent, on standard error', async () => {
    await writeFile(
      crib.path('keyed.yaml'),
      'sources: { pets: { openapi: pets.json, credentials: { bearer: { env: PETS } } }, open: { openapi: pets.json } }',
    );
    const { out, err } = await crib.run(['tools', '--json', '--config', 'keyed.yaml']);
    expect(JSON.parse(out)).toHaveLength(8);
    expect(err.match(/^credentials-unused: .*/gm)).toEqual([
      'credentials-unused: The credentials of pets are never sent: its document describes no way to. `toolcrib doctor` says what to add.',
    ]);
  });

  it('names the tools that are withheld, and how to have them back', async () => {
    await mkdir(crib.path('pinned'));
    await writeFile(crib.path('pinned', 'api.json'), JSON.stringify(document(100)));
    await writeFile(
      crib.path('pinned', 'toolcrib.yaml'),
      'sources: { pets: { openapi: api.json } }\nlock: { mode: quarantine }',
    );
    const configured = ['--config', 'pinned/toolcrib.yaml'];
    await crib.run(['compile', '--out', 'pinned', ...configured]);
    expect((await crib.run(['tools', ...configured])).err).not.toContain('Withheld');
    await writeFile(crib.path('pinned', 'api.json'), JSON.stringify(document(5)));
    expect((await crib.run(['tools', ...configured])).err).toMatch(
      /^tool-quarantined: Withheld until somebody accepts the changed definition: pets_listPets\. .*`toolcrib compile --accept` accepts it\.$/m,
    );
    const called = await crib.run(['call', 'pets_listPets', ...configured]);
    expect(called.exit).toBe(77);
    expect(called.err).toMatch(
      /^error tool_quarantined: Tool pets_listPets is quarantined: .*\n {2}next: .*`toolcrib compile --diff`/,
    );
    await crib.run(['compile', '--accept', ...configured]);
    expect((await crib.run(['tools', ...configured])).err).not.toContain('Withheld');
  });

  it('withholds what changed while its source could not be read, whatever was accepted meanwhile', async () => {
    await mkdir(crib.path('away'));
    const write = (name: string, limit?: number) =>
      writeFile(
        crib.path('away', `${name}.json`),
        limit === undefined ? 'no' : JSON.stringify(document(limit)),
      );
    await Promise.all([write('pets', 100), write('shop', 100)]);
    await writeFile(
      crib.path('away', 'toolcrib.yaml'),
      'sources: { pets: { openapi: pets.json }, shop: { openapi: shop.json } }\nlock: { mode: quarantine }',
    );
    const configured = ['--config', 'away/toolcrib.yaml'];
    await crib.run(['compile', '--out', 'away', ...configured]);
    await Promise.all([write('pets', 5), write('shop')]);
    const accepted = await crib.run(['compile', '--accept', ...configured]);
    expect(accepted.out).toMatch(/^Accepted pets_listPets into /);
    expect(accepted.err).toMatch(/^Source shop could not be read: .* What the lock holds of it stays\.$/m);
    await write('shop', 5);
    expect((await crib.run(['tools', ...configured])).err).toMatch(/changed definition: shop_listPets\./);
  });

  it('says why a folder without skills has no tools', async () => {
    await mkdir(crib.path('specs'));
    await writeFile(crib.path('specs', 'pets.json'), JSON.stringify(document(5)));
    const said = /skill-none: No skill was found: a skill is a folder with SKILL\.md/;
    expect((await crib.run(['tools', '--spec', 'specs'])).err).toMatch(said);
    expect((await crib.run(['compile', 'specs'])).out).toMatch(said);
  });

  it('names selectors that match nothing', async () => {
    await writeFile(
      crib.path('slip.yaml'),
      'sources: { pets: { openapi: pets.json, exclude: [{ operation: deletePets }] } }',
    );
    expect((await crib.run(['compile', '--config', 'slip.yaml'])).out).toMatch(
      /warning exclude-unmatched: .*\(operation deletePets\).* Did you mean "deletePet"\?\n {2}at: #\/exclude\/0/,
    );
  });

  it('says of several sources in which one a place is', async () => {
    const empty = { ...document(100), paths: undefined, webhooks: undefined };
    await writeFile(crib.path('empty.json'), JSON.stringify(empty));
    const { out } = await crib.run(['compile', 'pets.json', 'empty.json']);
    expect(out).toMatch(/^warning paths-invalid: .*\n {2}at: empty #$/m);
    const alone = await crib.run(['compile', 'empty.json']);
    expect(alone.out).toMatch(/^warning paths-invalid: .*\n {2}at: #$/m);
  });

  it('describe shows arguments', async () => {
    const { out } = await pets('describe', 'getPet');
    expect(out).toMatch(/GET \/pets\/\{id\} {2}\(read, source pets\)/);
    expect(out).toMatch(/id \(required\): integer/);
    expect(JSON.parse((await pets('describe', 'getPet', '--json')).out)).toMatchObject({
      name: 'getPet',
      operation: { id: 'getPet', source: 'pets' },
    });
    expect(await pets('describe', 'getPets')).toMatchObject({ exit: 64 });
  });

  it('explain shows every check with its value', async () => {
    const { out } = await pets('explain', 'deletePet');
    expect(out).toMatch(/deletePet is offered to local/);
    expect(out).toMatch(/pass {2}access +has read-write, needs read-write/);
    expect(JSON.parse((await pets('explain', 'deletePet', '--json')).out)).toMatchObject({
      visible: true,
      checks: expect.any(Array),
    });
  });

  it('explain says why something is not offered', async () => {
    await writeFile(
      crib.path('ruled.yaml'),
      'sources: { pets: { openapi: pets.json, prefix: none, access: [{ operation: deletePet, access: dangerous }], exclude: [{ operation: addPet }] } }',
    );
    const ruled = (...argv: string[]) => crib.run([...argv, '--config', 'ruled.yaml']);
    expect((await ruled('explain', 'DELETE /pets/{id}')).out).toMatch(/became no tool: .*dangerous/);
    expect((await ruled('explain', 'POST /pets')).out).toMatch(/became no tool: .*excluded/i);
    expect(await ruled('explain', 'nothing')).toMatchObject({ exit: 64 });
    // as its tool would have been called, and at every source that has it
    await writeFile(
      crib.path('two.yaml'),
      'sources: { greenhouse: { manifest: greenhouse }, greenhouse-v3: { manifest: greenhouse-v3 } }',
    );
    const two = async (name: string) => (await crib.run(['explain', name, '--config', 'two.yaml'])).out;
    const dangerous =
      /^DELETE \/candidates\/\{id\} of greenhouse became no tool: .*dangerous.*\n {2}Only an access rule/;
    expect(await two('greenhouse_delete_candidate')).toMatch(dangerous);
    expect(await two('greenhouse_v3_delete_candidate')).toMatch(/of greenhouse-v3 became no tool/);
    expect((await two('delete_candidate')).match(/became no tool/g)).toHaveLength(2);
    expect((await ruled('tools')).out).not.toMatch(/deletePet|addPet/);
    expect(await ruled('call', 'deletePet', 'id=1')).toMatchObject({ exit: 64 });
  });

  it('tokens measures what a model is given', async () => {
    const { out } = await pets('tokens', '--json');
    const { total, tools, perTool } = JSON.parse(out);
    expect(tools).toBe(4);
    expect(total).toBe(perTool.reduce((sum: number, tool: { tokens: number }) => sum + tool.tokens, 0));
    expect(total).toBeGreaterThan(100);
    expect((await pets('tokens')).out).toMatch(/^flat: \d+ tokens \(o200k\) for 4 tools/);
    const folder = crib.path('measured');
    expect(await crib.run(['compile', 'pets.json', '--out', folder])).toMatchObject({ exit: 0 });
    const report = JSON.parse(await readFile(`${folder}/toolcrib.report.json`, 'utf8'));
    expect(report).toMatchObject({ tokenMethod: 'o200k_base', totals: { tokens: total } });
  });
});
