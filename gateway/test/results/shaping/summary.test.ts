import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/operations/index.ts';
import { summarise } from '../../../src/results/shaping/summary.ts';
import fc from '../../properties.ts';

describe('a summary of many rows', () => {
  it('counts by status, state and health, and shows what is wrong', () => {
    const rows = Array.from({ length: 100 }, (_, id) => ({
      id,
      status: id < 4 ? 'ERROR' : id < 10 ? 'critical' : 'ok',
      health: id === 50 ? 'HEALTH_ERR' : 'HEALTH_OK',
      error: id === 60 ? { code: 5 } : id === 61 ? {} : null,
    }));
    expect(summarise(rows)).toMatchObject({
      total_count: 100,
      by_status: { ERROR: 4, critical: 6, ok: 90 },
      by_health: { HEALTH_OK: 99, HEALTH_ERR: 1 },
      critical_count: 12,
      critical_items: [{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
      errors_found: 6,
      error_samples: [{ id: 0 }, { id: 1 }, { id: 2 }],
      sample_items: [{ id: 0 }, { id: 1 }, { id: 2 }],
      available_fields: ['error', 'health', 'id', 'status'],
    });
  });

  it('shows of its samples what is asked for or essential', () => {
    const rows = Array.from({ length: 60 }, (_, id) => ({ id, status: 'down', size: id, health: null }));
    expect(summarise(rows, ['id', 'status'])).toEqual({
      total_count: 60,
      by_status: { down: 60 },
      critical_count: 60,
      critical_items: [0, 1, 2, 3, 4].map((id) => ({ id, status: 'down' })),
      errors_found: 60,
      error_samples: [0, 1, 2].map((id) => ({ id, status: 'down' })),
      sample_items: [0, 1, 2].map((id) => ({ id, status: 'down' })),
      available_fields: ['health', 'id', 'size', 'status'],
    });
  });

  it('shows five of a list of scalars', () => {
    expect(summarise(['a', 'b', 'c', 'd', 'e', 'f'])).toEqual({
      total_count: 6,
      sample_items: ['a', 'b', 'c', 'd', 'e'],
      available_fields: [],
    });
  });

  it('knows fields from the first ten rows', () => {
    const rows = Array.from({ length: 20 }, (_, index) => ({ [`f${index}`]: 1 }));
    expect(summarise(rows)['available_fields']).toHaveLength(10);
  });

  it('stays short, whatever the rows', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 30 }), (rows) => {
        const long = rows.map((row) => ({
          row: row as Json,
          status: 'x'.repeat(500),
          text: 'y'.repeat(5000),
          error: 'z'.repeat(5000),
        }));
        expect(JSON.stringify(summarise(long)).length).toBeLessThan(16_000);
      }),
    );
  });

  it('keeps many kinds of a status apart only so far', () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({ status: `s${index}` }));
    const { by_status: counts } = summarise(rows) as { by_status: Record<string, number> };
    expect(Object.keys(counts)).toHaveLength(21);
    expect(counts['(others)']).toBe(480);
  });
});
