import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/doctor/finding.ts';
import { temporaryHome } from './command-run.ts';
import { type OpenMeteoDouble, startOpenMeteoDouble } from './open-meteo-double.ts';

const crib = temporaryHome();
let meteo: OpenMeteoDouble;
beforeAll(async () => {
  meteo = await startOpenMeteoDouble();
  await writeFile(
    crib.path('pets.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      servers: [{ url: 'http://127.0.0.1:1' }],
      paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
    }),
  );
});
afterAll(() => meteo.close());

async function doctor(configuration: string, env: Record<string, string> = {}) {
  await writeFile(crib.path('case.yaml'), configuration);
  const { exit, out } = await crib.run(['doctor', '--json', '--config', 'case.yaml'], { env });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  return { exit, findings, of };
}

const ASKS = { security: [{ key: [] }] };

describe('toolcrib doctor', () => {
  it('finds nothing wrong where nothing is', async () => {
    const { exit, findings, of } = await doctor(
      `server: { port: 0 }\nsources: { pets: { openapi: pets.json, baseUrl: "${meteo.url}", credentials: { bearer: { env: PETS } } } }`,
      { PETS: 'secret-value' },
    );
    expect(findings.filter(({ status }) => status === 'error')).toEqual([]);
    expect(exit).toBe(0);
    expect(of('source pets')).toMatchObject([{ status: 'ok', message: '1 operation' }]);
    expect(of('service')).toMatchObject([{ status: 'ok', message: `${meteo.url} answers (404)` }]);
    expect(of('egress')[0]?.message).toContain(meteo.url);
    expect(of('credentials of pets')[0]?.message).toContain('PETS');
    expect(JSON.stringify(findings)).not.toContain('secret-value');
  });

  it('names settings of a source that pick nothing: what was to be left out is still there', async () => {
    const { of } = await doctor(
      `server: { port: 0 }\nsources: { pets: { openapi: pets.json, baseUrl: "${meteo.url}", exclude: [ { operation: listPet } ], access: [ { operation: listPest, access: delete } ] } }`,
    );
    expect(of('settings of pets')).toEqual([
      {
        check: 'settings of pets',
        group: 'sources',
        status: 'warning',
        message:
          'Access rule 1 (operation listPest: delete) matches no operation and has no effect. Did you mean "listPets"?',
        next: expect.stringContaining('`toolcrib describe TOOL`'),
      },
      {
        check: 'settings of pets',
        group: 'sources',
        status: 'warning',
        message:
          'Selector 1 of `exclude` (operation listPet) matches no operation and leaves none out. Did you mean "listPets"?',
        next: expect.stringContaining('`toolcrib describe TOOL`'),
      },
    ]);
  });

  it('names features, prices and groups for administrators that are of no operation', async () => {
    const settings =
      'features: { pests: { tags: [ pests ], enabled: false } }, costs: [ { tag: pests, usd: 1 } ], permissions: { adminRoles: [ A ], adminOnlyTags: [ pests ] }';
    const { of } = await doctor(
      `server: { port: 0 }\nsources: { pets: { openapi: pets.json, baseUrl: "${meteo.url}", ${settings} } }`,
    );
    expect(of('settings of pets').map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'Feature pests matches no operation and has no effect.',
        'Cost rule 1 matches no operation and has no effect.',
        expect.stringContaining('pests'),
      ]),
    );
    expect(of('settings of pets')).toHaveLength(3);
  });

  it.each([
    ['for nothing', [{}, {}], ['warning: never sent']],
    ['for a scheme, of few operations', [{}, {}, ASKS], ['info: not sent to 2 of 3 operations']],
    ['for a scheme, of half of them', [{}, ASKS], []],
  ])('says how often credentials are sent where the document asks %s', async (_what, said, expected) => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: Object.fromEntries(said.map((one, index) => [`/${index}`, { get: { ...one, responses: {} } }])),
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    };
    await writeFile(crib.path('shop.json'), JSON.stringify(document));
    const { of } = await doctor(
      `sources: { shop: { openapi: shop.json, baseUrl: "${meteo.url}", credentials: { bearer: { env: SHOP } } } }`,
      { SHOP: 'secret-value' },
    );
    const told = of('security of shop').map(
      ({ status, message }) => `${status}: ${/(?:never|not) sent(?: to .* operations)?/.exec(message)}`,
    );
    expect(told).toEqual(expected);
  });

  it('names a variable that is not set, and how to mend it', async () => {
    const { exit, of } = await doctor(
      'sources: { pets: { openapi: pets.json, credentials: { schemes: { k: { apiKey: { env: NOPE } } } } } }',
    );
    expect(exit).toBe(78);
    expect(of('credentials of pets')).toMatchObject([
      {
        status: 'error',
        message: expect.stringContaining('credentials.schemes.k.apiKey'),
        next: expect.stringContaining('NOPE'),
      },
    ]);
  });

  it('names it, too, where only a webhook, an artifact, a search or a chat needs it', async () => {
    const secret = (name: string) => `{ env: NOPE_${name} }`;
    const s3 = `{ endpoint: "${meteo.url}", bucket: kept, accessKeyId: ${secret('ID')}, secretAccessKey: ${secret('S3')} }`;
    const model = (name: string) => `{ baseUrl: "${meteo.url}", model: m, apiKey: ${secret(name)} }`;
    const { exit, of } = await doctor(`
sources: { web: { web: { search: [brave, { provider: brave, apiKey: ${secret('BRAVE')} }], scrape: jina } } }
artifacts: { store: { s3: ${s3} } }
events: { webhooks: [{ name: ops, url: "${meteo.url}", secret: ${secret('HOOK')} }] }
search: { embeddings: ${model('EMBEDDINGS')} }
chat: ${model('CHAT')}
`);
    expect(exit).toBe(78);
    const missing = (check: string) =>
      of(check)
        .filter(({ status }) => status === 'error')
        .map(({ next }) => /^Set (\w+) before/.exec(next ?? '')?.[1]);
    expect(missing('credentials of web')).toEqual(['BRAVE_API_KEY', 'NOPE_BRAVE']);
    expect(missing('artifacts')).toEqual(['NOPE_ID', 'NOPE_S3']);
    expect(missing('webhook ops')).toEqual(['NOPE_HOOK']);
    expect(missing('search')).toEqual(['NOPE_EMBEDDINGS']);
    expect(missing('chat')).toEqual(['NOPE_CHAT']);
  });

  it('counts a variable once, however many places name it', async () => {
    await writeFile(crib.path('more.json'), JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} }));
    const { exit, out } = await crib.run([
      ...['doctor', '--json', 'pets.json', 'more.json'],
      ...['--auth', 'pets/basic=env:NOPE,env:NOPE', '--auth', 'more/bearer=env:NOPE'],
    ]);
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    expect(exit).toBe(78);
    expect(findings.filter(({ message }) => message.includes('NOPE'))).toMatchObject([
      {
        check: 'credentials of pets, credentials of more',
        message:
          'credentials.basic.username, credentials.basic.password, credentials.bearer read the environment variable NOPE, which is not set.',
      },
    ]);
    expect(findings.filter(({ check }) => check === 'security of pets')).toMatchObject([
      { next: expect.stringContaining('in a toolcrib.yaml') },
    ]);
  });

  it('says which calls lack a credential, and which is named for nothing', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Keys', version: '1' },
      servers: [{ url: meteo.url }],
      paths: Object.fromEntries(
        [ASKS, { security: [{ key: [] }, {}] }, { security: [] }].map((one, index) => [
          `/${index}`,
          { get: { ...one, responses: {} } },
        ]),
      ),
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    };
    await writeFile(crib.path('keys.json'), JSON.stringify(document));
    const told = async (source: object, env: Record<string, string> = {}) => {
      const { of } = await doctor(
        JSON.stringify({ sources: { keys: { openapi: 'keys.json', ...source } } }),
        env,
      );
      return of('credentials of keys').map(({ status, message }) => `${status}: ${message}`);
    };
    const lacking =
      'warning: 1 of 3 operations: Source keys needs a credential that is not configured: scheme key (apiKey in header X-Key): set sources.keys.credentials.apiKey, or the environment variable TOOLCRIB_KEYS_KEY.';
    expect(await told({})).toEqual([lacking]);
    const unfit = (key: string) => `${lacking} What sources.keys.credentials has (${key}) fits none of this.`;
    expect(await told({ credentials: { bearer: 'a-token' } })).toEqual([unfit('bearer')]);
    expect(await told({ credentials: { schemes: { kye: { apiKey: 'a-key' } } } })).toEqual([
      'warning: sources.keys.credentials.schemes names kye, which is no security scheme of its document. Did you mean "key"?',
      unfit('schemes.kye'),
    ]);
    expect(await told({ credentials: { schemes: { key: { apiKey: 'a-key' } } } })).toEqual([]);
    expect(await told({ credentials: 'none' })).toEqual([]);
    expect(await told({ connections: 'records' })).toEqual([]);
    expect(await told({}, { TOOLCRIB_KEYS_KEY: 'a-key' })).toEqual([]);
  });

  it('says where one key stands for two different ones, as of a user and a token', async () => {
    const keyed = async (names: readonly string[], credentials: object) => {
      const scheme = (name: string, index: number) => [`key${index}`, { type: 'apiKey', in: 'header', name }];
      const document = {
        openapi: '3.1.0',
        info: { title: 'Two', version: '1' },
        servers: [{ url: meteo.url }],
        security: [Object.fromEntries(names.map((_, index) => [`key${index}`, []]))],
        paths: { '/a': { get: { responses: {} } }, '/b': { get: { responses: {} } } },
        components: { securitySchemes: Object.fromEntries(names.map(scheme)) },
      };
      await writeFile(crib.path('two.json'), JSON.stringify(document));
      const { of } = await doctor(JSON.stringify({ sources: { two: { openapi: 'two.json', credentials } } }));
      return of('credentials of two');
    };
    const both = ['X-User-Name', 'X-User-Token'];
    expect(await keyed(both, { apiKey: 'one' })).toMatchObject([
      {
        status: 'warning',
        message:
          'sources.two.credentials.apiKey is sent as 2 different keys at once: key0 (X-User-Name) and key1 (X-User-Token).',
        next: 'Give each its own: sources.two.credentials: { schemes: { key0: { apiKey: … }, key1: { apiKey: … } } }.',
      },
    ]);
    expect(await keyed(['X-Api-Key', 'api_key'], { apiKey: 'one' })).toEqual([]);
    const own = { apiKey: 'one', schemes: { key0: { apiKey: 'another' } } };
    expect(await keyed(both, own)).toEqual([]);
  });

  it('says why a provider without a key offers nothing', async () => {
    const { of } = await doctor('sources: { hiring: { manifest: greenhouse } }');
    expect(of('credentials of hiring')).toMatchObject([
      { status: 'warning', message: expect.stringMatching(/^Every call: .*TOOLCRIB_HIRING_BASIC/) },
    ]);
  });

  it('names an address that the egress door would block', async () => {
    const { exit, of } = await doctor('sources: { pets: { openapi: pets.json } }');
    expect(exit).toBe(78);
    expect(of('service')).toMatchObject([
      { status: 'error', next: expect.stringContaining('--allow-private') },
    ]);
  });

  it('names a source that cannot be read, and keeps looking at the others', async () => {
    const { exit, of } = await doctor(
      `sources: { gone: { openapi: gone.json }, pets: { openapi: pets.json, baseUrl: "${meteo.url}" } }`,
    );
    expect(exit).toBe(78);
    expect(of('source gone')).toMatchObject([
      { status: 'error', message: expect.stringContaining('gone.json') },
    ]);
    expect(of('source pets')).toMatchObject([{ status: 'ok' }]);
  });

  it('names what is wrong in the configuration, with its line', async () => {
    const { exit, of } = await doctor('name: a\nsorces: {}\n');
    expect(exit).toBe(78);
    expect(of('configuration')).toMatchObject([
      { status: 'error', message: expect.stringMatching(/sorces.*case\.yaml:2/) },
    ]);
  });

  it('sees that the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { of } = await doctor(
      `server: { port: ${port} }\nsources: { pets: { openapi: pets.json, baseUrl: "${meteo.url}" } }`,
    );
    holder.close();
    expect(of('server')).toMatchObject([{ status: 'warning', next: expect.stringContaining('--port') }]);
  });

  it('looks at the store, at who is in it, and at the key of Nango', async () => {
    const team = (store: string) =>
      doctor(
        `auth: { mode: team }\nstore: "${store}"\nserver: { port: 0, host: 0.0.0.0 }\nsources: { greenhouse: { manifest: greenhouse, baseUrl: "${meteo.url}", credentials: { nango: { integration: g } } } }`,
      );
    const { of } = await team('sqlite:./team.db');
    expect(of('store')).toMatchObject([{ status: 'ok', message: expect.stringContaining('first start') }]);
    expect(of('team')).toMatchObject([
      { status: 'warning', next: expect.stringContaining('admin bootstrap') },
    ]);
    expect(of('server')).toMatchObject([{ status: 'ok' }]);
    expect(of('credentials of greenhouse')).toMatchObject([
      { status: 'error', message: expect.stringContaining('NANGO_SECRET_KEY') },
    ]);
    await crib.run(['admin', 'bootstrap', '--organisation', 'Acme', '--config', 'case.yaml']);
    const after = await team('sqlite:./team.db');
    expect(after.of('store')).toMatchObject([{ status: 'ok', message: expect.stringContaining('version') }]);
    expect(after.of('team')).toEqual([]);
    expect((await team('postgres://nobody@127.0.0.1:1/x')).of('store')).toMatchObject([
      { status: 'error', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect((await team('none')).of('store')).toMatchObject([{ status: 'error' }]);
  });

  it('finds clients, connected or not, and broken files', async () => {
    await mkdir(crib.path('.cursor'), { recursive: true });
    await writeFile(crib.path('.cursor', 'mcp.json'), '{ "mcpServers": {} }');
    await writeFile(crib.path('.claude.json'), '{ broken');
    await crib.run(['connect', 'claude-desktop', '--yes']);
    const { of } = await doctor(`sources: { pets: { openapi: pets.json, baseUrl: "${meteo.url}" } }`);
    expect(of('client cursor')).toMatchObject([{ status: 'info', next: 'toolcrib connect cursor' }]);
    expect(of('client claude-desktop')).toMatchObject([{ status: 'ok' }]);
    expect(of('client claude-code')).toMatchObject([{ status: 'warning' }]);
  });

  it.each([
    ['words', ['pets.json']],
    ['--spec', ['--spec', 'pets.json']],
  ])('looks at documents named by %s, as they would be served', async (_how, named) => {
    const options = ['--json', '--base-url', meteo.url, '--auth', 'bearer=env:PETS'];
    const { out } = await crib.run(['doctor', ...named, ...options], { env: { PETS: 'x' } });
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'configuration',
        status: 'ok',
        message: 'documents of the command line (sources: pets)',
      }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: 'source pets', status: 'ok' }));
  });

  it('takes documents or a configuration, not both', async () => {
    const { exit, out } = await crib.run(['doctor', 'pets.json', '--config', 'case.yaml']);
    expect([exit, out]).toEqual([78, expect.stringContaining('Name documents or --config, not both.')]);
  });

  it('says it in words too', async () => {
    const { out } = await crib.run(['doctor', '--config', 'absent.yaml']);
    expect(out).toMatch(/^ok {6}node: Node\.js/);
    expect(out).toMatch(/error {3}configuration: .*\n +→ /);
  });
});
