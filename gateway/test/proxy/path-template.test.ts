import { expect, it } from 'vitest';
import { compareTemplates, fits, parseTemplate, valuesOf } from '../../src/proxy/path-template.ts';
import { readPath } from '../../src/proxy/request-path.ts';

const read = (path: string) => readPath(path, 'https://api.example.org')!;

it.each([
  ['/files/{id}.json', '/files/1.json', true],
  ['/files/{id}.json', '/files/.json', false],
  ['/files/{id}.json', '/files/123.xml', false],
  ['/files/v{id}', '/files/x1', false],
  ['/files/V{id}', '/files/v1', true],
  ['/Files', '/files', true],
  ['/files', '/files/1', false],
  ['/files/{id}', '/files', false],
  ['/files/{from}-{to}', '/files/1', true],
  ['/files?action=list', '/files', true],
])('%s and %s', (template, path, expected) => {
  expect(fits(parseTemplate(template), read(path).names)).toBe(expected);
});

it('text around a placeholder is more specific than none, and less than a name', () => {
  const [name, framed, bare] = ['/files/a.json', '/files/{id}.json', '/files/{id}'].map(parseTemplate);
  expect(compareTemplates(framed!, bare!)).toBeLessThan(0);
  expect(compareTemplates(name!, framed!)).toBeLessThan(0);
  expect(compareTemplates(bare!, bare!)).toBe(0);
});

it('what stands in a placeholder is decoded, without the text around it', () => {
  expect(valuesOf(parseTemplate('/files/{id}.json'), read('/files/a%20b.json'))).toEqual({ id: 'a b' });
  expect(valuesOf(parseTemplate('/files/{from}-{to}'), read('/files/1-2'))).toBeUndefined();
});
