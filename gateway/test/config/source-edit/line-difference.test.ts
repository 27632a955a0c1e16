import { describe, expect, it } from 'vitest';
import { lineDifference } from '../../../src/config/source-edit/line-difference.ts';

const removed = async (lines: string) =>
  (await lineDifference(`a:\n  a: 1\n${lines}\nb: 2\n`, 'a:\n  a: 1\nb: 2\n')).removed.join('\n');

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
    ['  token: |\n    hunter2\n\n    hunter3\n  n: 1', '  token: …\n    …\n\n    …\n  n: 1'],
    ['  token: >-  # of ours\n    hunter2', '  token: …\n    …'],
    ['  token: "hunter2\n    hunter3"\n  n: 1', '  token: …\n    …\n  n: 1'],
    ['  token:\n    hunter2\n    hunter3\n  n: 1', '  token:\n    …\n    …\n  n: 1'],
    ['  tokens:\n    - hunter2\n    - ${B}', '  tokens:\n    - …\n    - ${B}'],
    ['  tokens: [hunter2, "${B}"]', '  tokens: …'],
    ['  x: &it hunter2\n  y: { bearer: *it }', '  x: &it …\n  y: { bearer: … }'],
    ["  args: ['--api-key', hunter2, -v]", "  args: ['--api-key', …, -v]"],
    ['  args:\n    - --token\n    - hunter2', '  args:\n    - --token\n    - …'],
    ['  # bearer: hunter2', '  # bearer: …'],
  ])('is not shown: %s', async (line, shown) => {
    expect(await removed(line)).toBe(shown);
  });

  it.each([
    '  bearer: { env: TOKEN }',
    '  crm: { auth: { bearer: { env: TOKEN } }, prefix: x }',
    '  x: { headers: { authorization: "${TOKEN}" } }',
    "  args: ['--token=${TOKEN}']",
    '  url: https://example.com/a@b',
    "  args: ['--token', '${TOKEN}', --auth, --key, -v]",
    '  keys:\n    first: 1',
  ])('and what names one is: %s', async (line) => {
    expect(await removed(line)).toBe(line);
  });
});
