import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { httpEndpoint } from '../../server/http/http-endpoint.ts';
import { petsDocument, temporaryDesk } from './person.ts';

const cursor = JSON.stringify({ mcpServers: { notes: { command: 'no-such-notes-server', args: [] } } });

describe('toolcrib start, with a person', () => {
  it('serves the quickstart without a question where there is nothing else', async () => {
    await using desk = await temporaryDesk();
    const { exit, out, asked } = await desk.start({}, []);
    expect({ exit, asked }).toEqual({ exit: 0, asked: [] });
    expect(out).toMatch(/MCP {7}http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(out).toMatch(/Try a call:\n.* call searchPlaces name=Lisbon/);
    expect(await desk.files()).toEqual({});
  });

  it('says which documents it found, and serves the one that is chosen', async () => {
    await using desk = await temporaryDesk({
      'work/b.json': petsDocument(),
      'work/openapi.yaml': 'swagger: "2.0"\ninfo: { title: Old, version: "1" }\npaths: {}\n',
      'work/package.json': '{ "name": "openapi" }',
    });
    const before = await desk.files();
    const { out, err, asked } = await desk.start({}, ['b.json']);
    expect(err).toContain('openapi.yaml: Swagger 2.0\n  b.json: OpenAPI 3.1.0\n');
    expect(asked).toEqual(['What shall be served? [openapi.yaml b.json -] openapi.yaml']);
    expect(out).toMatch(/serves 1 tool \(b 1\)/);
    expect(out).toMatch(/call --spec b\.json listPets/);
    expect(out).toMatch(/connect CLIENT --spec b\.json/);
    expect(await desk.files()).toEqual(before);
  });

  it('tries a tool of a service before one of the gateway itself', async () => {
    await using desk = await temporaryDesk({
      'work/pets.json': petsDocument().replace('"operationId":"listPets"', '"operationId":"zoo"'),
      'work/toolcrib.yaml':
        'name: mine\ntopology: flat\nsources: { a: { self: {} }, pets: { openapi: pets.json } }\n',
    });
    const { out } = await desk.start({}, []);
    expect(out).toMatch(/Try a call:\n.* call pets_zoo\n/);
  });

  it('asks nothing about sources where they are named, or configured', async () => {
    await using desk = await temporaryDesk({
      'work/pets.json': petsDocument(),
      'work/other.json': petsDocument('Other'),
      'work/toolcrib.yaml': 'name: mine\nsources: { other: { openapi: other.json } }\n',
      '.cursor/mcp.json': '{}',
    });
    const named = await desk.start({ documents: ['pets.json'] }, ['']);
    expect(named.out).toMatch(/serves 1 tool \(pets 1\)/);
    expect(named.asked).toEqual(['Connect a client to these tools? [- cursor] -']);
    const configured = await desk.start({}, ['']);
    expect(configured.out).toMatch(/^mine .* \(other 1\)/);
    expect(configured.err).toContain('toolcrib.yaml: the configuration of this folder');
  });

  it('takes over servers of a client with a yes, beside the document that was chosen', async () => {
    await using desk = await temporaryDesk({
      'work/My pets.json': petsDocument(),
      '.cursor/mcp.json': cursor,
    });
    const { exit, asked } = await desk.start({}, ['My pets.json', 'yes', '']);
    expect(exit).toBe(0);
    expect(asked[1]).toBe(
      'Take over notes from Cursor into toolcrib.yaml, as sources of this gateway? [y/N]',
    );
    const files = await desk.files();
    expect(parse(files['work/toolcrib.yaml']!)).toEqual({
      sources: { My_pets: { openapi: './My pets.json' } },
      mcpServers: JSON.parse(cursor).mcpServers,
    });
    expect(files['.cursor/mcp.json']).toBe(cursor);
    // taken over already: nothing is left to ask about
    const again = await desk.start({}, ['']);
    expect(again.asked).toEqual(['Connect a client to these tools? [- cursor] -']);
  });

  it('asks once where many clients have servers, of whatever kind their files are', async () => {
    const files = {
      '.cursor/mcp.json': cursor,
      '.codex/config.toml': '[mcp_servers.docs]\ncommand = "no-such-docs-server"\n',
      '.codeium/windsurf/mcp_config.json': JSON.stringify({
        mcpServers: { wind: { command: 'no-such-wind' } },
      }),
    };
    const question = /^Take over the MCP servers of these clients .* \[none each all\] none$/;
    await using desk = await temporaryDesk(files);
    const none = await desk.start({}, ['none', '']);
    expect(none.asked[0]).toMatch(question);
    expect(none.err).toContain('docs: MCP server of Codex\n  wind: MCP server of Windsurf\n');
    expect(none.asked[1]).toBe('Connect a client to these tools? [- cursor codex windsurf] -');
    expect(none.err).toContain('MCP clients: Cursor, Codex, Windsurf\n');
    expect(Object.keys(await desk.files())).not.toContain('work/toolcrib.yaml');
    const each = await desk.start({}, ['each', 'no', 'yes', 'no', '']);
    expect(each.asked[2]).toBe(
      'Take over docs from Codex into toolcrib.yaml, as sources of this gateway? [y/N]',
    );
    expect(parse((await desk.files())['work/toolcrib.yaml']!)).toEqual({
      mcpServers: { docs: { command: 'no-such-docs-server' } },
    });
    await using other = await temporaryDesk(files);
    const { err } = await other.start({}, ['all', '']);
    expect(err).toMatch(/^Took docs from .*config\.toml into .*toolcrib\.yaml\.$/m);
    expect(err).not.toContain('They are sources now');
    const { mcpServers } = parse((await other.files())['work/toolcrib.yaml']!);
    expect(Object.keys(mcpServers)).toEqual(['notes', 'docs', 'wind']);
  });

  it('leaves everything as it was when the person breaks off, wherever that is', async () => {
    await using desk = await temporaryDesk({ 'work/pets.json': petsDocument(), '.cursor/mcp.json': cursor });
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const before = await desk.files();
    for (const answers of [['break'], ['pets.json', 'break'], ['pets.json', 'yes', 'break']]) {
      const { error, out } = await desk.start({ port }, answers);
      expect(error).toMatchObject({ code: 'cancelled' });
      expect(out).toBe('');
      expect(await desk.files()).toEqual(before);
    }
    holder.close();
    expect(await desk.start({}, ['', 'no', 'break'])).toMatchObject({ exit: 0 });
    expect(await desk.files()).toEqual(before);
  });

  it('says which services the egress door refuses, and what would let calls reach them', async () => {
    await using desk = await temporaryDesk({ 'work/pets.json': petsDocument() });
    const { err } = await desk.start({ documents: ['pets.json'] }, []);
    expect(err).toContain('Calls to 127.0.0.1:1 are refused: 127.0.0.1 is no public address.');
    expect(err).toContain('start again with --allow-private 127.0.0.1:1');
    const meant = await desk.start({ documents: ['pets.json'], allowPrivate: ['127.0.0.1:1'] }, []);
    expect(meant.err).not.toContain('refused');
  });

  it('says of a document without an address that its calls lead nowhere', async () => {
    const hostAlone = { ...JSON.parse(petsDocument()), servers: [{ url: 'api.example.com/v1' }] };
    await using desk = await temporaryDesk({ 'work/pets.json': JSON.stringify(hostAlone) });
    const { err } = await desk.start({ documents: ['pets.json'] }, []);
    expect(err).toMatch(
      /^server-unusable: .* lacks its scheme: name one with --base-url.*https:\/\/api\.example\.com\/v1\.$/m,
    );
    const meant = [{ source: undefined, url: 'https://api.example.com/v1' }];
    expect((await desk.start({ documents: ['pets.json'], baseUrl: meant } as never, [])).err).not.toContain(
      'server-unusable',
    );
  });

  it('says of a rule that was to leave an operation out that it picks none', async () => {
    const pets = { openapi: './pets.json', exclude: [{ operation: 'listPet' }] };
    await using desk = await temporaryDesk({
      'work/pets.json': petsDocument(),
      'work/toolcrib.yaml': JSON.stringify({ sources: { pets, more: { openapi: './pets.json' } } }),
    });
    expect((await desk.start({}, [])).err).toMatch(
      /^exclude-unmatched: .*operation listPet\) .*leaves none out\. Did you mean "listPets"\? \(pets #\/exclude\/0\)$/m,
    );
  });

  it('refuses no host behind a socket, to which nothing goes', async () => {
    const pets = { openapi: './pets.json', baseUrl: 'http://localhost', socketPath: './pets.sock' };
    await using desk = await temporaryDesk({
      'work/pets.json': petsDocument(),
      'work/toolcrib.yaml': JSON.stringify({ sources: { pets } }),
    });
    expect((await desk.start({}, [])).err).not.toContain('refused');
  });

  it('says which credential the first call will lack', async () => {
    const keyed = {
      ...JSON.parse(petsDocument()),
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    };
    await using desk = await temporaryDesk({ 'work/pets.json': JSON.stringify(keyed) });
    const { err } = await desk.start({ documents: ['pets.json'] }, []);
    expect(err).toMatch(/^Source pets needs a credential that is not configured: .*TOOLCRIB_PETS_KEY\.$/m);
    expect((await desk.start({ documents: ['pets.json'], json: true }, [])).err).not.toContain('credential');
  });

  it('connects a client with a yes to the entry that it shows', async () => {
    await using desk = await temporaryDesk({ 'work/pets.json': petsDocument(), '.cursor/mcp.json': '{}' });
    const no = await desk.start({}, ['pets.json', 'cursor', 'no']);
    expect(no).toMatchObject({ exit: 0, err: expect.stringContaining('Nothing was written.') });
    expect((await desk.files())['.cursor/mcp.json']).toBe('{}');
    const { err, asked } = await desk.start({}, ['pets.json', 'cursor', 'yes']);
    expect(asked.at(-1)).toContain("Write this entry into Cursor's configuration?");
    expect(err).toContain('"--stdio"');
    const { toolcrib } = JSON.parse((await desk.files())['.cursor/mcp.json']!).mcpServers;
    expect(toolcrib.args).toEqual(expect.arrayContaining(['serve', desk.path('work/pets.json'), '--stdio']));
    // connected now: nothing is left to offer
    const again = await desk.start({}, ['pets.json']);
    expect(again.err).toContain('Cursor (connected)');
  });
});

describe('a port that is taken', () => {
  it('is offered the next one, by name of who has it', async () => {
    await using desk = await temporaryDesk();
    await using running = await httpEndpoint({ definitions: [] } as never);
    const port = Number(new URL(running.url).port);
    const no = await desk.start({ port }, ['no']);
    expect(no.error).toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(`already runs: `),
    });
    const { exit, err, out, asked } = await desk.start({ port }, ['yes']);
    expect(exit).toBe(0);
    expect(err).toContain(`console at http://127.0.0.1:${port}/`);
    const [, other] = /Use port (\d+) instead\? \[Y\/n\]/.exec(asked[0]!)!;
    expect(out).toContain(`http://127.0.0.1:${other}/mcp`);
  });

  it.each([[undefined], [[]]])(
    'is no matter where the document is not there, asked or not: %j',
    async (answers) => {
      await using desk = await temporaryDesk();
      await using running = await httpEndpoint({ definitions: [] } as never);
      const port = Number(new URL(running.url).port);
      const { error, asked } = await desk.start({ port, documents: ['missing.yaml'] }, answers);
      const message = `Cannot read ${desk.path('work/missing.yaml')}: There is no such file.`;
      expect(error).toMatchObject({ code: 'source_unreadable', message });
      expect(asked).toEqual([]);
    },
  );

  it('is an error where nobody can be asked', async () => {
    await using desk = await temporaryDesk();
    await using running = await httpEndpoint({ definitions: [] } as never);
    const { error } = await desk.start({ port: Number(new URL(running.url).port) });
    expect(error).toMatchObject({ code: 'port_in_use', next: expect.stringContaining('--port') });
  });
});

describe('toolcrib start, without a person', () => {
  it('serves the quickstart, and says what it found', async () => {
    await using desk = await temporaryDesk({ 'work/pets.json': petsDocument(), '.cursor/mcp.json': cursor });
    const before = await desk.files();
    const { exit, out, err } = await desk.start({});
    expect(exit).toBe(0);
    expect(out).toMatch(/^quickstart /);
    expect(out).not.toContain('#code=');
    expect(err).toContain('`toolcrib start pets.json` serves what was found');
    expect(err).toContain('notes: MCP server of Cursor');
    expect(await desk.files()).toEqual(before);
  });

  it('answers every question with its default for --yes, and writes nothing', async () => {
    await using desk = await temporaryDesk({ 'work/pets.json': petsDocument(), '.cursor/mcp.json': cursor });
    const before = await desk.files();
    const { out } = await desk.start({ yes: true, json: true });
    expect(JSON.parse(out)).toMatchObject({ type: 'listening', tools: 1, client: { mcpServers: {} } });
    expect(await desk.files()).toEqual(before);
  });
});
