import { expect, test } from 'vitest';
import { createStderrTail } from '../../../src/upstreams/stdio/stderr-tail.ts';

const tail = (
  texts: readonly string[],
  secrets: readonly string[] = [],
  redact?: (text: string) => string,
) => {
  const kept = createStderrTail(secrets, redact);
  for (const text of texts) kept.push(text);
  return kept.text();
};

test('secrets are masked, the longer first, and nothing that is as short as a word', () => {
  const secrets = ['short', 'secret', 'secret-and-more'];
  expect(tail(['a short secret-and-', 'more, a secret'], secrets)).toBe('a short [redacted], a [redacted]');
  expect(tail(['secret, secret'], secrets)).toBe('[redacted], [redacted]');
});

test('controls are taken out, line ends and tabs stay, and what is told of it is redacted', () => {
  expect(tail(['\u001b[31mred\u001b[0m\u0007\n\tx\r\n'])).toBe('red\n\tx');
  expect(tail(['token abc'], [], (text) => text.replace('abc', '***'))).toBe('token ***');
  // what a redactor puts in its place is cleaned, too
  expect(tail(['token abc'], [], (text) => text.replace('abc', '\u001b[31m***'))).toBe('token ***');
});

test('the end of it is kept, a line that lost its start not at all', () => {
  const line = `${'x'.repeat(99)}\n`;
  const end = tail(Array(1_000).fill(line));
  expect(end.length).toBeLessThanOrEqual(8_192);
  expect(end.endsWith('x'.repeat(99))).toBe(true);
  const cut = tail([`password=${'y'.repeat(16_380)}\nafter`]);
  expect(cut).toBe('after');
});
