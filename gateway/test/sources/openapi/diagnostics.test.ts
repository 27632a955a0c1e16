import { expect, test } from 'vitest';
import { DiagnosticLog } from '../../../src/sources/openapi/diagnostics.ts';
import { processorTime } from '../../processor-time.ts';

test('a place is told once, many of a kind are counted', () => {
  const log = new DiagnosticLog();
  for (const at of [0, 0, ...Array.from({ length: 150 }, (_, index) => index)])
    log.report('broken', 'warning', 'It is broken.', `#/a/${at}`);
  const told = log.list();
  expect(told).toHaveLength(101);
  expect(told.at(-1)).toEqual({
    code: 'broken',
    severity: 'info',
    message: '50 more of this kind are not listed.',
  });
});

test('what a document says at length is cut in the middle, and thousands of such take no time', async () => {
  const log = new DiagnosticLog();
  const path = '/{a}'.repeat(20_000);
  const took = await processorTime(() => {
    for (let at = 0; at < 1_000; at++)
      log.report('undeclared', 'warning', `${at} of ${path} is not declared.`, `#/paths/${path}/${at}`);
  });
  // 1,200 ms on a busy machine; 8,000 where long keys are compared
  expect(took).toBeLessThan(4_000);
  const [first] = log.list();
  expect(first?.message).toMatch(/^0 of .{400,} … .{400,} is not declared\.$/);
  expect(first?.message.length).toBeLessThan(1_010);
  expect(first?.pointer).toBe(`#/paths/${path}/0`);
});
