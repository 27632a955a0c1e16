import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';

const context = { env: {}, baseDirectory: '/base' };
const n8n = {
  url: 'http://10.0.0.7:5678/n8n',
  webhookUrl: 'https://hooks.example.com',
  apiKey: { env: 'KEY' },
};
const parse = (source: object) => parseConfiguration({ sources: { flows: source } }, context);

describe('sources: { flows: { n8n: … } }', () => {
  it('names its tools after n8n, whatever the source is called, unless a prefix is given', async () => {
    expect((await parse({ n8n })).sources['flows']!.prefix).toBe('n8n');
    expect((await parse({ n8n, prefix: 'shop' })).sources['flows']!.prefix).toBe('shop');
  });

  it('opens the egress door for the addresses that it names, and no other', async () => {
    const { egress } = await parse({ n8n });
    expect([...egress.allow].sort()).toEqual(['http://10.0.0.7:5678', 'https://hooks.example.com']);
  });

  it('keeps the key as a reference, which nothing has read', async () => {
    expect((await parse({ n8n })).sources['flows']!.settings).toMatchObject({ apiKey: { env: 'KEY' } });
  });

  it.each([
    ['no URL', {}],
    ['no http', { url: 'n8n.example.com' }],
  ])('%s is refused', async (_what, settings) => {
    await expect(parse({ n8n: settings })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it('every wrong setting is named at once, at its place', async () => {
    const settings = { ...n8n, apiKey: undefined, apikey: n8n.apiKey, tags: 'tool', refresh: 30 };
    const lines = (await parse({ n8n: settings }).catch(({ message }) => message)) as string;
    expect(lines.split('\n  ').slice(1)).toEqual([
      'sources.flows.n8n.tags: Expected array, received string.',
      'sources.flows.n8n.refresh: Write a duration such as 30s or 5m, at least 1s, or false.',
      'sources.flows.n8n.apikey: Unknown key "apikey". Did you mean "apiKey"?',
    ]);
  });

  it('finds its files from the folder of the configuration, and ~ in that of the user', async () => {
    const here = { env: { HOME: '/home/ann' }, baseDirectory: '/base' };
    const settings = async (own: object) => {
      const { sources } = await parseConfiguration({ sources: { flows: { n8n: { ...n8n, ...own } } } }, here);
      return sources['flows']!.settings;
    };
    expect(await settings({ schemas: '~/flows.yaml', apiKey: { file: '~/key' } })).toMatchObject({
      schemas: '/home/ann/flows.yaml',
      apiKey: { file: '/home/ann/key' },
    });
    expect(await settings({ schemas: 'flows.yaml' })).toMatchObject({ schemas: '/base/flows.yaml' });
    expect(await settings({ schemas: 'https://a.example/f.yaml' })).toMatchObject({
      schemas: 'https://a.example/f.yaml',
    });
  });
});
