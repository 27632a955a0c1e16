import { describe, expect, it } from 'vitest';
import { deduplicateByFamily, type FilterFacts } from '../../../src/sources/azure/index.ts';

const fact = (operationId: string, more: Partial<FilterFacts> = {}): FilterFacts => ({
  operationId,
  path: `/${operationId}`,
  visibility: 'none',
  isTrigger: false,
  deprecated: false,
  ...more,
});
const of = (family: string | undefined, revision?: number) => ({ apiAnnotation: { family, revision } });
const kept = (...operations: FilterFacts[]) =>
  deduplicateByFamily(operations).map(({ operationId }) => operationId);

describe('deduplicateByFamily', () => {
  it('keeps the newest revision, whatever the order in the file', () => {
    expect(kept(fact('V3', of('Get', 3)), fact('V1', of('Get', 1)), fact('V2', of('Get', 2)))).toEqual([
      'V3',
    ]);
    expect(kept(fact('V1', of('Get', 1)), fact('V3', of('Get', 3)), fact('V2', of('Get', 2)))).toEqual([
      'V3',
    ]);
  });

  it('keeps the first of two with the same revision', () => {
    expect(kept(fact('A', of('Get', 2)), fact('B', of('Get', 2)))).toEqual(['A']);
  });

  it('takes a missing revision for the first', () => {
    expect(kept(fact('A', of('Get')), fact('B', of('Get', 2)))).toEqual(['B']);
  });

  it('keeps every operation without annotation, and those whose annotation names no family', () => {
    expect(kept(fact('A'), fact('B'), fact('C', of(undefined, 2)))).toEqual(['A', 'B', 'C']);
    expect(kept(fact('A', { deprecated: true }))).toEqual(['A']);
  });

  it('drops a deprecated operation without annotation that is named like a family with a newer revision', () => {
    expect(kept(fact('Send', { deprecated: true }), fact('SendV2', of('Send', 2)))).toEqual(['SendV2']);
  });

  it('never lets an operation without annotation push a revision of its name out', () => {
    expect(kept(fact('SendV2', of('Send', 2)), fact('Send'))).toEqual(['SendV2', 'Send']);
  });

  it('does not take operations without an id for one another', () => {
    expect(deduplicateByFamily([fact('', { path: '/a' }), fact('', { path: '/b' })])).toHaveLength(2);
  });

  it('keeps the order of the document', () => {
    expect(kept(fact('B'), fact('A', of('F', 1)), fact('C'), fact('D', of('F', 2)))).toEqual(['B', 'C', 'D']);
  });
});
