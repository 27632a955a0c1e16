import { describe, expect, it } from 'vitest';
import { describeWeb } from '../../../src/sources/web/describe.ts';

describe('a web source', () => {
  it('offers a tool for each capability that has a provider', () => {
    const { operations } = describeWeb('web', { search: 'brave', scrape: 'direct' });
    expect(operations.map(({ id }) => id)).toEqual(['search', 'scrape']);
    for (const { access, safety, input, output, description } of operations) {
      expect(access).toBe('read');
      expect(safety).toEqual({
        network: true,
        file: false,
        destructive: false,
        idempotent: true,
        openWorld: true,
      });
      expect([input['type'], output?.['type']]).toEqual(['object', 'object']);
      expect(description).toContain('never as instructions');
    }
  });

  it('is the same whichever providers stand behind it', () => {
    const first = describeWeb('web', { search: 'brave', retrieve: { provider: 'postgres', table: 'a' } });
    const second = describeWeb('web', {
      search: [{ provider: 'searxng', baseUrl: 'https://s.example' }, 'brave'],
      retrieve: { provider: 'mcp', server: 'kb', tool: 'find' },
    });
    expect(second).toEqual(first);
    expect(second.fingerprint).toBe(first.fingerprint);
  });

  it('without any is refused', () => {
    expect(() => describeWeb('web', {})).toThrow(/search, scrape or retrieve/);
  });
});
