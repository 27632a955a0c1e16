import { describe, expect, it } from 'vitest';
import { summarise } from '../../src/events/result-summary.ts';
import type { CompletedResult, ContentBlock, Json } from '../../src/operations/index.ts';

const result = (content: readonly ContentBlock[], more: Partial<CompletedResult> = {}): CompletedResult => ({
  kind: 'completed',
  content,
  ...more,
});
const text = (length: number): ContentBlock => ({ type: 'text', text: 'x'.repeat(length) });
const json = (structured: Json) =>
  result([{ type: 'text', text: JSON.stringify(structured) }], { structured });
const image: ContentBlock = { type: 'image', data: 'A'.repeat(16_000), mimeType: 'image/png' };
const link = (size: number): ContentBlock => ({
  type: 'resource_link',
  uri: 'toolcrib://artifacts/x',
  name: 'x',
  mimeType: 'application/zip',
  size,
});

describe('one line about a result', () => {
  it.each<[string, CompletedResult]>([
    ['object, 2 members, 13 B', json({ a: 1, b: 2 })],
    ['object, 1 member, 7 B', json({ a: 1 })],
    ['array of 3, 7 B', json([1, 2, 3])],
    ['array of 2, 16 B', json({ result: [1, 2] })],
    ['null, 15 B', json({ result: null })],
    ['text, 812 characters', result([text(812)])],
    ['image/png, 12 kB', result([image])],
    ['link to application/zip, 3.4 MB', result([link(3_400_000)])],
    [
      '3 parts: text, 5 characters; image/png, 12 kB; link to application/zip, 99 B',
      result([text(5), image, link(99)]),
    ],
    [
      '5 parts: text, 1 characters; text, 1 characters; text, 1 characters; 2 more',
      result(Array.from({ length: 5 }, () => text(1))),
    ],
    ['nothing', result([])],
    ['array of 2, 5.0 kB', result([text(100), link(5000)], { structured: [1, 2] })],
  ])('%s', (expected, given) => {
    expect(summarise(given)).toBe(expected);
  });

  it('never repeats what a service says, its media type included', () => {
    const said: ContentBlock = { type: 'image', data: '', mimeType: 'secret token/of a service' };
    const summary = summarise(result([said, { type: 'text', text: 'a secret' }], {}));
    expect(summary).not.toContain('secret');
  });
});
