import { describe, expect, it } from 'vitest';
import { openapi } from '../../../src/sources/openapi/index.ts';
import { contextFor } from './describing.ts';

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

  it('watches the files that the configuration names', async () => {
    const context = contextFor('/base');
    const config = { document: 'api.yaml', overlay: ['/abs/o.yaml', 'https://x.example/o.yaml'] };
    expect(openapi.watched?.(config, context, {} as never)).toEqual(['/base/api.yaml', '/abs/o.yaml']);
    expect(openapi.watched?.('-', context, {} as never)).toEqual([]);
    expect(openapi.watched?.('file:///x/api.yaml', context, {} as never)).toEqual(['/x/api.yaml']);
  });
});
