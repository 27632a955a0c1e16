import { describe, expect, it } from 'vitest';
import type { ConnectionStatus, Grants, Principal } from '../../src/operations/index.ts';
import { REFUSALS } from '../../src/proxy/answers.ts';
import { chooseSource } from '../../src/proxy/choose-source.ts';
import type { ProxySource } from '../../src/proxy/index.ts';
import { ANN } from './loopback-proxy.ts';

const source = (name: string, provider: string, category = 'ats'): ProxySource => ({
  name,
  provider: { provider, displayName: provider, category, baseUrl: '', blocklist: [], regions: {} },
  category,
  rawProxy: false,
  operations: [],
  closed: [],
});

const SOURCES = [
  source('old', 'greenhouse'),
  source('new', 'greenhouse'),
  source('lever', 'lever'),
  source('crm', 'hubspot', 'crm'),
];

const choose = (
  asked: string,
  connected: Readonly<Record<string, ConnectionStatus>>,
  principal: Principal = ANN,
) => {
  const grants = {
    source: (name: string) => {
      const connection = connected[name];
      return connection && { level: 'read-write', category: 'ats', connection };
    },
  } as unknown as Grants;
  const chosen = chooseSource(asked, SOURCES, grants, principal);
  return 'source' in chosen ? chosen.source.name : chosen;
};

describe('the source that a provider’s name stands for', () => {
  it('is the connected one of several, wherever it stands', () => {
    expect(choose('greenhouse', { old: 'missing', new: 'connected' })).toBe('new');
    expect(choose('greenhouse', { old: 'connected', new: 'missing' })).toBe('old');
  });

  it('can be called by its own name', () => {
    expect(choose('new', { old: 'connected', new: 'connected' })).toBe('new');
  });
});

describe('a provider that is not connected', () => {
  const unsupported = REFUSALS.unsupportedProvider('lever');
  const notConnected = REFUSALS.notConnected('ats');

  it.each<[string, Record<string, ConnectionStatus>, object]>([
    ['is unknown beside one that is', { old: 'connected' }, unsupported],
    ['is told where nothing else is', {}, notConnected],
    ['is told beside one of another category', { crm: 'connected' }, notConnected],
    [
      'is told beside one where its account has to sign in',
      { old: 'connected', lever: 'unauthenticated' },
      notConnected,
    ],
  ])('%s', (_, connected, answer) => {
    expect(choose('lever', connected)).toEqual(answer);
  });

  it('is told to a key that does not reach the connected one: nothing shows that there is another', () => {
    expect(choose('lever', { old: 'connected' }, { ...ANN, sources: ['lever'] })).toEqual(notConnected);
  });
});
