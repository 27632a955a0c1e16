import { describe, expect, it } from 'vitest';
import { lineDifference } from '../../src/config/line-difference.ts';

const removed = (line: string) => lineDifference(`a: 1\n${line}\nb: 2\n`, 'a: 1\nb: 2\n').removed;

describe('a secret that stands in a configuration file as text', () => {
  it.each([
    ['  bearer: hunter2', '  bearer: …'],
    [
      '  crm: { openapi: ./a.json, auth: { bearer: hunter2 } }',
      '  crm: { openapi: ./a.json, auth: { bearer: … } }',
    ],
    ['  x: { headers: { "x-api-key": "hunter2, and more" } }', '  x: { headers: { "x-api-key": … } }'],
    ["  args: ['--api-key=hunter2', -v]", "  args: ['--api-key=…', -v]"],
    ['  url: https://ann:hunter2@example.com/x', '  url: https://…@example.com/x'],
    ['{"auth":{"apiKey":"hunter2"}}', '{"auth":{"apiKey":…}}'],
  ])('is not shown: %s', (line, shown) => {
    expect(removed(line)).toEqual([shown]);
  });

  it.each([
    '  bearer: { env: TOKEN }',
    '  crm: { auth: { bearer: { env: TOKEN } }, prefix: x }',
    '  x: { headers: { authorization: "${TOKEN}" } }',
    "  args: ['--token=${TOKEN}']",
    '  url: https://example.com/a@b',
  ])('and what names one is: %s', (line) => {
    expect(removed(line)).toEqual([line]);
  });
});
