import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/parse.ts';
import type { HintsConfiguration } from '../../../src/config/settings/hints.ts';

const parsed = async (hints: unknown): Promise<HintsConfiguration | undefined> => {
  const sources = { ceph: { openapi: './ceph.json', hints } };
  const { sources: read } = await parseConfiguration({ sources }, { env: {}, baseDirectory: '/base' });
  return read['ceph']!.hints;
};

describe('sources.NAME.hints', () => {
  it.each([
    ['./hints.yaml', { file: './hints.yaml' }],
    [{ extension: 'x-my-hints' }, { extension: 'x-my-hints' }],
    [
      { file: './hints.yaml', extension: 'x-my-hints' },
      { file: './hints.yaml', extension: 'x-my-hints' },
    ],
    [undefined, undefined],
  ])('%j', async (hints, expected) => expect(await parsed(hints)).toEqual(expected));

  it.each([[''], [{}], [{ extension: 'hints' }], [{ folder: './hints' }], [7]])(
    '%j is refused',
    async (hints) => {
      await expect(parsed(hints)).rejects.toMatchObject({ code: 'configuration_invalid' });
    },
  );

  it('are refused where the source is no document', async () => {
    const sources = { lever: { manifest: 'lever', hints: './hints.yaml' } };
    await expect(parseConfiguration({ sources }, { env: {}, baseDirectory: '/base' })).rejects.toMatchObject({
      code: 'configuration_invalid',
      pointer: '#/sources/lever/hints',
    });
  });
});
