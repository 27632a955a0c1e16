import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';

const parse = (web: unknown, env: Record<string, string> = {}) =>
  parseConfiguration({ sources: { web: { web } } } as never, { baseDirectory: '/srv/crib', env });
const settings = async (web: unknown) => (await parse(web)).sources['web']?.settings;
const table = { provider: 'postgres', table: 'docs.chunks' };
const vectors = {
  provider: 'pgvector',
  table: 'chunks',
  embeddings: { baseUrl: 'https://models.example/v1', model: 'm' },
};

describe('sources with web:', () => {
  it.each([
    [{ search: 'brave' }],
    [{ search: { provider: 'brave', apiKey: { env: 'BRAVE_API_KEY' }, baseUrl: 'https://proxy.example' } }],
    [{ search: ['brave', { provider: 'searxng', baseUrl: 'https://search.example' }, 'jina'] }],
    [{ scrape: 'direct' }],
    [{ scrape: [{ provider: 'direct', allow: ['wiki.internal'], robots: 'ignore' }, 'jina'] }],
    [{ retrieve: { provider: 'opensearch', baseUrl: 'https://os.example', index: 'chunks', mode: 'bm25' } }],
    [
      {
        retrieve: {
          provider: 'elasticsearch',
          baseUrl: 'https://es.example',
          index: 'chunks',
          apiKey: { env: 'ES' },
        },
      },
    ],
    [{ retrieve: table }],
    [{ retrieve: { ...vectors, distance: 'l2', mode: 'hybrid', fixedFilters: { tenant: ['a'] } } }],
    [
      {
        search: {
          provider: 'mcp',
          server: 'kb',
          tool: 'find',
          arguments: { query: 'q' },
          fields: { url: '/link' },
        },
      },
    ],
  ])('%j is taken as it stands', async (web) => {
    expect(await settings(web)).toEqual(web);
  });

  it.each([
    [{}, 'search, scrape or retrieve'],
    [{ serch: 'brave' }, 'search'],
    [{ search: 'direct' }, 'no provider "direct" for search; there are: brave, searxng'],
    [{ search: 'searxng' }, 'searxng needs settings'],
    [{ search: [] }, 'at least one'],
    [{ scrape: ['direct', 'brave'] }, 'web.scrape[1]'],
    [{ search: ['brave', { provider: 'searxng' }] }, 'web.search[1].baseUrl'],
    [{ search: { provider: 'brave', key: 'x' } }, 'Unknown key "key"'],
    [{ search: { provider: 'brave', apiKey: '$BRAVE_API_KEY' } }, 'apiKey'],
    [{ search: { provider: 'searxng', baseUrl: 'ftp://x' } }, ''],
    [{ retrieve: { ...table, table: 'a; drop table b' } }, ''],
    [{ retrieve: { ...table, columns: { id: 'a"b' } } }, ''],
    [{ retrieve: { provider: 'pgvector', table: 'chunks' } }, ''],
    [{ search: { provider: 'mcp', server: 'kb', tool: 'find', results: 'items' } }, ''],
  ])('%j is refused at its place', async (web, message) => {
    const error = await parse(web).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'configuration_invalid' });
    expect(String(error)).toContain(message);
    expect(String(error)).toContain('sources');
  });

  it('paths of secrets are relative to the configuration', async () => {
    expect(await settings({ search: [{ provider: 'brave', apiKey: { file: 'keys/brave' } }] })).toEqual({
      search: [{ provider: 'brave', apiKey: { file: '/srv/crib/keys/brave' } }],
    });
  });

  it('every base URL opens the door for APIs; sites whose pages may be read do not', async () => {
    const { egress } = await parse({
      search: [{ provider: 'searxng', baseUrl: 'http://10.0.0.1:8080/x' }, 'brave'],
      scrape: [
        { provider: 'direct', allow: ['wiki.internal', 'http://10.9.9.9'] },
        { provider: 'jina', baseUrl: 'http://10.0.0.2', searchBaseUrl: 'http://10.0.0.3' },
      ],
      retrieve: { ...vectors, embeddings: { baseUrl: 'http://10.0.0.4:11434/v1', model: 'm' } },
    });
    expect(egress.allow).toEqual([
      'http://10.0.0.1:8080',
      'http://10.0.0.2',
      'http://10.0.0.3',
      'http://10.0.0.4:11434',
    ]);
  });
});
