import { describe, expect, it } from 'vitest';
import { openapi } from '../../../src/sources/openapi/index.ts';

describe('configuration', () => {
  it.each<[unknown]>([
    ['api.yaml'],
    ['-'],
    [{ document: 'https://api.example/openapi.json', overlay: 'o.yaml' }],
    [
      {
        document: 'a',
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

  it.each<[unknown]>([[''], [{}], [{ document: 5 }], [{ document: 'a', overlays: 'b' }], [null]])(
    '%j is refused',
    (value) => {
      expect(openapi.config.safeParse(value).success).toBe(false);
    },
  );
});
