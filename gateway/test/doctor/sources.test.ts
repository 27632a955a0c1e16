import { expect, it } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { parseConfiguration } from '../../src/config/parse.ts';
import { checkSources } from '../../src/doctor/sources.ts';
import { ERRORS } from '../../src/errors.ts';

const NOTHING = { sources: [], skipped: [], entries: [] } as unknown as Catalog;

it('advises for a source that cannot be read what its failure advises, and for a server that does not start to look at it', async () => {
  const sources = { shop: { openapi: 'shop.json' }, tickets: { mcp: { url: 'https://mcp.example/mcp' } } };
  const configuration = await parseConfiguration({ sources }, { baseDirectory: '/', env: {} });
  const adviceFor = (source: string, next: string) => {
    const diagnostic = { code: 'source-failed', severity: 'error', message: 'No.', source, next } as const;
    return checkSources(configuration, NOTHING, [diagnostic])[0]?.next;
  };
  const signIn = 'Sign in to the server: `toolcrib upstream login tickets`.';
  expect(adviceFor('tickets', signIn)).toBe(signIn);
  expect(adviceFor('shop', ERRORS.source_invalid.next)).toBe(ERRORS.source_invalid.next);
  expect(adviceFor('tickets', ERRORS.upstream_unavailable.next)).toMatch(
    /`toolcrib upstream status tickets`/,
  );
});

it('tells of a provider that ends', async () => {
  const configuration = await parseConfiguration(
    { sources: { hiring: { manifest: 'greenhouse' } } },
    { baseDirectory: '/', env: {} },
  );
  const message = 'Greenhouse v1 is deprecated and removed on 2026-08-31. Use greenhouse-v3 instead.';
  const diagnostic = { code: 'provider-deprecated', severity: 'warning', message, source: 'hiring' } as const;
  expect(checkSources(configuration, NOTHING, [diagnostic])).toEqual([
    {
      check: 'provider of hiring',
      status: 'warning',
      message,
      next: expect.stringContaining('sources.hiring.manifest'),
    },
  ]);
});

it('tells of a time that no service keeps', async () => {
  const found = async (timeout: number | string) => {
    const sources = { shop: { openapi: 'shop.json', limits: { timeout } } };
    return checkSources(await parseConfiguration({ sources }, { baseDirectory: '/', env: {} }), NOTHING, []);
  };
  expect(await found(30)).toEqual([
    {
      check: 'timeout of shop',
      status: 'warning',
      message: 'Its calls end after 30 ms.',
      next: expect.stringContaining('sources.shop.limits.timeout: 30s'),
    },
  ]);
  expect(await found('1s')).toEqual([]);
});

it('tells of tools that are not offered, since another source has them', async () => {
  const configuration = await parseConfiguration({}, { baseDirectory: '/', env: {} });
  const shadowed = {
    code: 'tool-shadowed',
    severity: 'warning',
    message: 'Taken.',
    source: 'second',
  } as const;
  const sources = ['first', 'second'].map((name) => ({ name, operations: 3 }));
  const catalog = { ...NOTHING, sources, diagnostics: [shadowed, shadowed] } as unknown as Catalog;
  expect(checkSources(configuration, catalog, [])).toEqual([
    { check: 'source first', status: 'ok', message: '3 operations' },
    {
      check: 'source second',
      status: 'warning',
      message: '3 operations; 2 tools are not offered, since the name is taken',
      next: expect.stringContaining('sources.second.prefix'),
    },
  ]);
});
