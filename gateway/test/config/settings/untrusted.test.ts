import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { DEFAULT_UNTRUSTED } from '../../../src/config/settings/untrusted.ts';

const parsed = (file: object) => parseConfiguration(file, { env: {}, baseDirectory: '/tmp' });

describe('output.untrusted', () => {
  it('labels, cleans, and defangs what is no API where nothing is said', async () => {
    expect((await parsed({})).output.untrusted).toEqual(DEFAULT_UNTRUSTED);
    expect(DEFAULT_UNTRUSTED.markdown).toEqual({
      web: 'defang',
      mcp: 'defang',
      http: 'keep',
      function: 'keep',
    });
  });

  it.each([
    ['strip', { web: 'strip', mcp: 'strip', http: 'strip', function: 'strip' }],
    [{ http: 'defang' }, { web: 'defang', mcp: 'defang', http: 'defang', function: 'keep' }],
  ])('markdown: %j', async (markdown, expected) => {
    expect((await parsed({ output: { untrusted: { markdown } } })).output.untrusted?.markdown).toEqual(
      expected,
    );
  });

  it('takes hosts and sources', async () => {
    const untrusted = {
      label: false,
      hosts: ['Docs.ACME.com', '*.acme.com'],
      sources: { files: { trusted: true }, wiki: { markdown: 'strip' } },
    };
    expect((await parsed({ output: { untrusted } })).output.untrusted).toEqual({
      ...DEFAULT_UNTRUSTED,
      ...untrusted,
      hosts: ['docs.acme.com', '*.acme.com'],
    });
  });

  it.each([
    [{ markdown: 'remove' }],
    [{ markdown: { page: 'strip' } }],
    [{ hosts: ['https://acme.com'] }],
    [{ hosts: ['*'] }],
    [{ labels: true }],
    [{ sources: { files: { trust: true } } }],
  ])('refuses %j', async (untrusted) => {
    await expect(parsed({ output: { untrusted } })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});

describe('policy.taint', () => {
  it('is none where nothing is said', async () => {
    expect((await parsed({})).policy.taint).toBeUndefined();
  });

  it.each([
    [{ writes: 'ask' }, { writes: 'ask', forMs: 1_800_000 }],
    [
      { writes: 'ask', sources: ['web'], for: '2h' },
      { writes: 'ask', sources: ['web'], forMs: 7_200_000 },
    ],
    [
      { writes: 'allow', for: 1000 },
      { writes: 'allow', forMs: 1000 },
    ],
  ])('%j', async (taint, expected) => {
    expect((await parsed({ policy: { taint } })).policy.taint).toEqual(expected);
  });

  it.each([
    [{}],
    [{ writes: 'deny' }],
    [{ writes: 'ask', for: '25h' }],
    [{ writes: 'ask', for: 30 }],
    [{ writes: 'ask', sources: [] }],
  ])('refuses %j', async (taint) => {
    await expect(parsed({ policy: { taint } })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});
