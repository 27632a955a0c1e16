import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';

const BASE = resolve('/srv/school');

const parse = (file: unknown) =>
  parseConfiguration(file, { baseDirectory: BASE, env: { HOME: resolve('/home/ada') } });

describe('chat', () => {
  it('is not there unless it is configured', async () => {
    expect(await parse({})).not.toHaveProperty('chat');
  });

  it('has a model behind an address, without a slash at its end, that the egress door lets through', async () => {
    const { chat, egress } = await parse({ chat: { baseUrl: 'http://127.0.0.1:11434/v1//', model: 'm' } });
    expect(chat).toEqual({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'm', maxRounds: 8 });
    expect(egress.allow.join(' ')).toContain('127.0.0.1:11434');
  });

  it('takes over everything else', async () => {
    const said = { model: 'm', apiKey: { file: 'key' }, system: 'Be brief.', maxRounds: 3, maxTokens: 50 };
    const { chat } = await parse({ chat: { baseUrl: 'https://models.example/v1', ...said } });
    expect(chat).toEqual({
      baseUrl: 'https://models.example/v1',
      ...said,
      apiKey: { file: join(BASE, 'key') },
    });
  });

  it.each([
    {},
    { baseUrl: 'https://models.example' },
    { baseUrl: 'models.example', model: 'm' },
    { baseUrl: 'https://models.example', model: 'm', maxRounds: 0 },
    { baseUrl: 'https://models.example', model: 'm', rounds: 3 },
  ])('refuses %j', async (chat) => {
    await expect(parse({ chat })).rejects.toMatchObject({ code: 'configuration_invalid' });
  });
});
