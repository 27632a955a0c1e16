import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { Configuration } from '../../src/config/index.ts';
import { checkNango } from '../../src/doctor/nango.ts';

const catalog = {
  connection: (source: string) => ({ name: source, ...(source === 'lever' ? { provider: 'lever' } : {}) }),
} as unknown as Catalog;

function findings(source: string, entry: object, mode: 'local' | 'team' = 'local') {
  const configuration = { sources: { [source]: entry }, auth: { mode } } as unknown as Configuration;
  return checkNango(configuration, catalog).map(({ check, status, next }) => ({ check, status, next }));
}

describe('doctor looks at accounts that Nango keeps', () => {
  const nameless = { nango: { integration: 'crm' } };

  it('a shared source that names no connection gets no credential, ever', () => {
    expect(findings('crm', { credentials: nameless })).toEqual([
      {
        check: 'credentials of crm',
        status: 'error',
        next: expect.stringContaining('Set sources.crm.credentials.nango.connection'),
      },
    ]);
    expect(findings('crm', { credentials: nameless }, 'team')).toHaveLength(1);
    expect(findings('lever', { credentials: nameless })).toHaveLength(1);
    expect(findings('lever', { credentials: nameless, connections: 'shared' }, 'team')).toHaveLength(1);
  });

  it('so does one of its schemes', () => {
    const [finding] = findings('crm', { credentials: { schemes: { token: nameless } } });
    expect(finding?.next).toContain('sources.crm.credentials.schemes.token.nango.connection');
  });

  it('nothing is said where one is named, where records name them, or where there is no Nango', () => {
    expect(findings('crm', { credentials: { nango: { integration: 'crm', connection: 'c1' } } })).toEqual([]);
    expect(findings('crm', { credentials: nameless, connections: 'records' })).toEqual([]);
    expect(findings('lever', { credentials: nameless }, 'team')).toEqual([]);
    expect(findings('crm', { credentials: 'none' })).toEqual([]);
  });
});
