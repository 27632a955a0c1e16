import { describe, expect, it } from 'vitest';
import { createReport, type ReportInput, serializeReport } from '../../src/compiler/report.ts';
import type { Tool } from '../../src/operations/index.ts';

const tool = (name: string): Tool => ({
  name,
  description: 'x',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});

const INPUT: ReportInput = {
  catalog: 'sha256:cat',
  sources: [{ name: 'shop', kind: 'openapi', fingerprint: 'sha256:1' }],
  entries: [
    { source: 'shop', operation: 'b', tool: tool('b') },
    { source: 'shop', operation: 'a', tool: tool('a') },
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
      tokens: 2 * Math.ceil(JSON.stringify(tool('a')).length / 4),
    });
    expect(report.compiled.map((line) => line.tool)).toEqual(['a', 'b']);
    expect(report.sources).toMatchObject([{ name: 'shop', compiled: 2, skipped: 1 }]);
    expect(report.diagnostics).toHaveLength(1);
    expect(report.tokenMethod).toBe('estimate: characters / 4');
  });

  it('counts exactly where the caller brings a tokenizer', () => {
    const report = createReport({ ...INPUT, countTokens: { method: 'o200k_base', count: () => 7 } });
    expect(report).toMatchObject({ tokenMethod: 'o200k_base', totals: { tokens: 14 } });
    const sources = ['shop', 'bank'].map((name) => ({ name, kind: 'openapi', fingerprint: 'sha256:1' }));
    const entries = INPUT.entries.map((entry, at) => (at === 0 ? { ...entry, source: 'bank' } : entry));
    const countTokens = { method: 'o200k_base', count: () => 7 };
    expect(createReport({ ...INPUT, sources, entries, countTokens }).sources).toMatchObject([
      { name: 'shop', compiled: 1, tokens: 7 },
      { name: 'bank', compiled: 1, tokens: 7 },
    ]);
  });

  it('has identical bytes for identical input', () => {
    expect(serializeReport(createReport(INPUT))).toBe(serializeReport(createReport(structuredClone(INPUT))));
  });
});
