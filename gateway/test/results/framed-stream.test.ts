import { describe, expect, it } from 'vitest';
import { containerOutput } from '../../src/results/framed-stream.ts';
import { framesOf } from './frames.ts';

const output = (body: Uint8Array, type: string) => containerOutput(body, type)?.toString();

describe('what a container wrote', () => {
  const written = framesOf([1, 'line 1\n'], [2, 'oops\n'], [1, `${'x'.repeat(300)}\n`], [1, '']);

  it.each(['', 'application/vnd.docker.multiplexed-stream', 'application/vnd.docker.raw-stream'])(
    'stands without its frames, of the type %j',
    (type) => {
      expect(output(written, type)).toBe(`line 1\noops\n${'x'.repeat(300)}\n`);
    },
  );

  it('is put together where a frame ends within a character', () => {
    const [first, second] = [Buffer.from('\u00e4').subarray(0, 1), Buffer.from('\u00e4').subarray(1)];
    expect(output(framesOf([1, first], [1, second]), '')).toBe('\u00e4');
  });

  it('is plain text where a terminal was attached', () => {
    expect(output(Buffer.from('line 1\n'), 'application/vnd.docker.raw-stream')).toBe('line 1\n');
  });

  it.each([
    ['bytes of a program', framesOf([1, Buffer.from([0, 0xff, 0xfe])]), ''],
    ['a frame cut off', written.subarray(0, -300), ''],
    ['bytes behind a frame', Buffer.concat([framesOf([1, 'a']), Buffer.from([9])]), ''],
    ['a kind that there is not', framesOf([3, 'a']), ''],
    ['a head that is none', Buffer.from([1, 0, 1, 0, 0, 0, 0, 1, 0x61]), ''],
    ['nothing', Buffer.alloc(0), ''],
    ['frames without content', framesOf([1, '']), ''],
    ['another type', written, 'application/octet-stream'],
  ])('is not taken for such: %s', (_what, body, type) => {
    expect(containerOutput(body, type)).toBeUndefined();
  });
});
