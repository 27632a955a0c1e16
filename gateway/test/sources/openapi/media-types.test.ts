import { describe, expect, it } from 'vitest';
import { mediaKindOf, mediaRank } from '../../../src/sources/openapi/media-types.ts';

describe('mediaKindOf', () => {
  it.each([
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/vnd.github.v3+json', 'json'],
    ['text/json', 'json'],
    ['*/*', 'json'],
    ['application/x-ndjson', 'json-lines'],
    ['application/jsonl', 'json-lines'],
    ['application/json-seq', 'json-lines'],
    ['application/x-www-form-urlencoded', 'form'],
    ['multipart/mixed', 'multipart'],
    ['application/form-data', 'multipart'],
    ['application/octet-stream', 'binary'],
    ['image/svg+xml', 'xml'],
    ['image/png', 'binary'],
    ['application/pdf', 'binary'],
    ['application/zip', 'binary'],
    ['application/xml', 'xml'],
    ['text/xml', 'xml'],
    ['application/atom+xml', 'xml'],
    ['text/csv', 'text'],
    ['application/yaml', 'text'],
    ['application/x-unknown', 'other'],
  ])('%s is %s', (mediaType, kind) => {
    expect(mediaKindOf(mediaType)).toBe(kind);
  });
});

describe('mediaRank', () => {
  it('JSON, +json, form, multipart, bytes, text, XML, other', () => {
    const types = [
      'x/y',
      'application/xml',
      'text/plain',
      'application/octet-stream',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'application/hal+json',
      'application/json',
    ];
    expect(types.toSorted((a, b) => mediaRank(a, []) - mediaRank(b, []))).toEqual(types.toReversed());
  });

  it('preferences come first, in their order', () => {
    const preferences = ['text/*', 'application/xml'];
    const types = ['application/json', 'application/xml', 'text/plain'];
    expect(types.toSorted((a, b) => mediaRank(a, preferences) - mediaRank(b, preferences))).toEqual(
      types.toReversed(),
    );
  });
});
