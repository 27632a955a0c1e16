import { describe, expect, it } from 'vitest';
import { openapi } from '../../../src/sources/openapi/index.ts';

describe('configuration', () => {
  it.each<[unknown]>([
    ['api.yaml'],
    ['-'],
    [{ document: 'https://api.example/openapi.json', overlay: 'o.yaml' }],
    [
      {
        document: 'https://api.example/openapi.json',
        headers: { 'X-Key': 'k', Authorization: { env: 'DOCS' }, Cookie: { file: '/run/cookie' } },
        overlay: ['a', 'b'],
        contentTypes: ['multipart/*'],
        includeInternal: true,
        includeDeprecated: false,
        includeTriggers: true,
      },
    ],
  ])('%j is accepted', (value) => {
    expect(openapi.config.parse(value)).toEqual(value);
  });

  it.each<[unknown]>([
    [''],
    [{}],
    [{ document: 5 }],
    [{ document: 'a', overlays: 'b' }],
    [null],
    // a file is shown nothing
    [{ document: 'a.yaml', headers: { 'X-Key': 'k' } }],
    [{ document: 'https://api.example/', headers: { 'X Key': 'k' } }],
    [{ document: 'https://api.example/', headers: { Host: 'k' } }],
    [{ document: 'https://api.example/', headers: { 'X-Key': { env: 'A', file: 'b' } } }],
  ])('%j is refused', (value) => {
    expect(openapi.config.safeParse(value).success).toBe(false);
  });
});
