import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';

const source = (entry: object) =>
  parseConfiguration({ sources: { bank: entry } }, { env: {}, baseDirectory: '/crib' });
const openapi = './bank.yaml';
const certificate = { file: './client.pem' };
const key = { env: 'CLIENT_KEY' };

describe('tls of a source', () => {
  it('names files that are found from any folder, and is read when a call needs it', async () => {
    const { sources } = await source({ openapi, tls: { certificate, key } });
    expect(sources['bank']?.tls).toEqual({ certificate: { file: '/crib/client.pem' }, key });
  });

  it.each([
    ['a certificate without a key', { certificate }, 'Name certificate and key, or neither.'],
    ['a key without a certificate', { key }, 'Name certificate and key, or neither.'],
    ['nothing', {}, 'Name a certificate with its key, a ca, or both.'],
    ['what it does not know', { certificate, key, pfx: './x' }, 'Unknown key "pfx"'],
  ])('refuses %s', async (_what, tls, message) => {
    await expect(source({ openapi, tls })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['azure', { azure: { subscription: 's', resourceGroup: 'g' } }],
    ['web', { web: { scrape: { provider: 'direct' } } }],
  ])('refuses it for kind %s, which cannot use it', async (kind, entry) => {
    await expect(source({ ...entry, tls: { certificate, key } })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: `Source bank has tls, which sources of kind ${kind} cannot use.`,
      pointer: '#/sources/bank/tls',
    });
  });

  it('counts for an MCP server at an address, and is refused for a program', async () => {
    const tls = { certificate, key };
    const { sources } = await source({ mcp: { url: 'https://mcp.test/mcp' }, tls });
    expect(sources['bank']?.settings).toMatchObject({
      definition: { transport: { tls: { certificate: { file: '/crib/client.pem' }, key } } },
    });
    await expect(source({ mcp: { command: 'serve-files' }, tls })).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: expect.stringContaining('a server that is a program'),
      pointer: '#/sources/bank/tls',
    });
  });
});
