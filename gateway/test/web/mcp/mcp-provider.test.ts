import { describe, expect, it } from 'vitest';
import { MCPProvider, type McpProviderSettings } from '../../../src/web/index.ts';
import type { McpToolAnswer } from '../../../src/web/provider.ts';
import { failureOf } from '../searching.ts';

/** The names that are known: a public one, and one that leads into the network of the gateway. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'example.org': '93.184.215.14',
  'inside.example.org': '10.0.0.5',
};

function wrapped(settings: Partial<McpProviderSettings>, answer: McpToolAnswer) {
  const calls: { name: string; args: unknown; context: unknown }[] = [];
  const provider = new MCPProvider(
    { server: 'kb', tool: 'find', ...settings },
    async (name, args, { context }) => {
      calls.push({ name, args, context });
      return answer;
    },
    {
      resolve: async (host) => {
        const address = ADDRESSES[host];
        if (address === undefined) throw new Error('ENOTFOUND');
        return [{ address, family: 4 }];
      },
    },
  );
  return { calls, provider };
}

const text = (value: unknown): McpToolAnswer => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

describe('a tool that searches', () => {
  it('is called with its own argument names; results are found by JSON Pointers', async () => {
    const mapping = {
      arguments: { query: 'q', count: 'limit' },
      fixed: { safe: true },
      results: '/web/results',
      fields: { snippet: '/about/0' },
    };
    const answer = { web: { results: [{ name: 'T', link: 'https://example.org/', about: ['S'] }, 'odd'] } };
    for (const given of [{ structuredContent: answer }, text(answer)]) {
      const { calls, provider } = wrapped(mapping, given);
      const found = await provider.search('cats', 3, { country: 'DE', context: 'asking' });
      expect(found).toMatchObject({
        provider: 'kb/find',
        results: [{ title: 'T', url: 'https://example.org/', snippet: 'S' }],
        warnings: ['kb/find does not search by country.'],
      });
      expect(calls).toEqual([{ name: 'find', args: { q: 'cats', limit: 3, safe: true }, context: 'asking' }]);
    }
  });

  it('without a mapping gives the first list that is there', async () => {
    const { provider } = wrapped(
      {},
      text({ total: 1, items: [{ title: 'T', url: 'https://example.org/', text: 'S' }] }),
    );
    expect((await provider.search('x', 5)).results).toMatchObject([{ title: 'T', snippet: 'S' }]);
  });
});

describe('a tool that reads pages', () => {
  it.each([
    ['plain text', text('# Markdown'), '# Markdown', 'https://example.org/'],
    [
      'an object',
      text({ title: 'T', markdown: '# M', url: 'https://example.org/final' }),
      '# M',
      'https://example.org/final',
    ],
  ])('answers with %s', async (_what, answer, content, finalUrl) => {
    const { provider } = wrapped({}, answer);
    expect(await provider.scrape('https://example.org/')).toMatchObject({ content, finalUrl });
  });

  it('never hears of an address that our rules refuse', async () => {
    const { calls, provider } = wrapped({}, text('x'));
    const refused = ['http://127.0.0.1/', 'file:///etc/passwd', 'http://[fd00::1]/', 'http://localhost/'];
    for (const url of [...refused, 'http://inside.example.org/']) {
      expect(await failureOf(provider.scrape(url))).toMatchObject({ code: 'egress_blocked' });
    }
    expect(calls).toEqual([]);
  });

  it('hears of a name that only a proxy may know', async () => {
    const { calls, provider } = wrapped({}, text('x'));
    await provider.scrape('https://unknown.example.org/');
    expect(calls).toMatchObject([{ args: { url: 'https://unknown.example.org/' } }]);
  });
});

describe('a tool that retrieves', () => {
  it('gives chunks, with filters where it has an argument for them', async () => {
    const answer = text([
      { id: 7, text: 'passage', score: 0.5, source: 'https://docs.example/7' },
      { nothing: true },
    ]);
    const { calls, provider } = wrapped({ arguments: { query: 'query', filters: 'where' } }, answer);
    expect((await provider.retrieve('q', { tenant: 'a' })).chunks).toMatchObject([
      { id: '7', text: 'passage', score: 0.5, source: 'https://docs.example/7', metadata: {} },
    ]);
    expect(calls[0]?.args).toEqual({ query: 'q', where: { tenant: 'a' } });
    const without = wrapped({}, answer);
    expect(await failureOf(without.provider.retrieve('q', { tenant: 'a' }))).toMatchObject({
      code: 'arguments_invalid',
    });
    expect(without.calls).toEqual([]);
  });
});

describe('a tool that fails', () => {
  it.each([
    [{ isError: true, content: [{ type: 'text', text: 'no such index' }] }, 'tool_failed', 'no such index'],
    [text('sorry'), 'upstream_failed', 'no list'],
    [{}, 'upstream_failed', 'no list'],
  ])('with %j is %s', async (answer, code, message) => {
    const { provider } = wrapped({}, answer);
    const error = await failureOf(provider.search('x', 5));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});
