import { describe, expect, it } from 'vitest';
import { createReport, type ReportInput, serializeReport } from '../../src/compiler/report.ts';

const INPUT: ReportInput = {
  catalog: 'sha256:cat',
  sources: [{ name: 'shop', kind: 'openapi', fingerprint: 'sha256:1' }],
  entries: [
    { source: 'shop', operation: 'b', tool: 'b', tokens: 7 },
    { source: 'shop', operation: 'a', tool: 'a', tokens: 5 },
  ],
  skipped: [{ method: 'GET', path: '/x', reason: 'excluded', source: 'shop' }],
  diagnostics: [
    { code: 'tool-shadowed', severity: 'warning', message: 'Tool c is not published.' },
    { code: 'reference-broken', severity: 'error', message: 'Broken.' },
  ],
  changes: [{ tool: 'b', source: 'shop', kind: 'changed', diff: ['~ access: "read" → "write"'] }],
  quarantined: new Set(['b']),
};

describe('createReport', () => {
  it('says what became of everything', () => {
    const report = createReport(INPUT);
    expect(report.totals).toEqual({
      compiled: 2,
      skipped: 1,
      shadowed: 1,
      changed: 1,
      quarantined: 1,
      errors: 1,
      warnings: 1,
      tokens: 12,
    });
    expect(report.compiled).toEqual([INPUT.entries[1], INPUT.entries[0]]);
    expect(report.sources).toMatchObject([{ name: 'shop', compiled: 2, skipped: 1, tokens: 12 }]);
    expect(report.diagnostics).toHaveLength(1);
  });

  it('says of each source what is its own', () => {
    const sources = ['shop', 'bank'].map((name) => ({ name, kind: 'openapi', fingerprint: 'sha256:1' }));
    const entries = INPUT.entries.map((entry, at) => (at === 0 ? { ...entry, source: 'bank' } : entry));
    expect(createReport({ ...INPUT, sources, entries }).sources).toMatchObject([
      { name: 'shop', compiled: 1, skipped: 1, tokens: 5 },
      { name: 'bank', compiled: 1, skipped: 0, tokens: 7 },
    ]);
  });

  it('has identical bytes for identical input', () => {
    expect(serializeReport(createReport(INPUT))).toBe(serializeReport(createReport(structuredClone(INPUT))));
  });
});
