import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholePieces } from '../../src/results/whole-pieces.ts';
import { framesOf } from './frames.ts';

const pieces = (body: string | Uint8Array, type?: string) => {
  const found = wholePieces(Buffer.from(body), type);
  return found === undefined ? undefined : Buffer.from(found).toString();
};

describe('what came whole of an answer that was cut off', () => {
  it.each([
    ['text/plain', 'one\ntwo\nthr', 'one\ntwo\n'],
    ['text/plain; charset=utf-8', 'one\n', 'one\n'],
    ['application/x-ndjson', '{"a":1}\n{"a":', '{"a":1}\n'],
    ['application/json', '{"a":1}\n{"a":2}\n{"a":', '{"a":1}\n{"a":2}\n'],
    ['application/json', '{"a":1}\n{"a":', '{"a":1}\n'],
    ['application/json', '{"a":1}', '{"a":1}'],
    ['application/json', '{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
    ['text/event-stream', 'data: 1\n\ndata: 2\ndata: 3\n', 'data: 1\n\n'],
    ['text/event-stream', 'data: 1\r\n\r\n: still here\r\n', 'data: 1\r\n\r\n'],
    [undefined, 'line 1\nli', 'line 1\n'],
    [undefined, '{"a":1}\n{"a":2}\n{', '{"a":1}\n{"a":2}\n'],
  ])('of %s: %j', (type, body, whole) => {
    expect(pieces(body, type)).toBe(whole);
  });

  it.each(['text/event-stream', 'application/x-ndjson'])('may be nothing of %s', (type) => {
    expect(pieces('', type)).toBe('');
    expect(pieces('data: 1', type)).toBe('');
  });

  it.each([
    ['application/json', ''],
    ['application/json', '{"a":'],
    ['application/json', '{\n  "a": 1,\n  "b'],
    ['application/json', '[\n{"a":1},\n{"a'],
    ['text/plain', 'no line'],
    ['text/html', '<p>\n<p>\n'],
    ['application/xml', '<a>\n<b/>\n'],
    ['application/yaml', 'a: 1\nb:\n'],
    ['application/octet-stream', 'one\ntwo\n'],
    ['image/png', 'PNG\n\n'],
    [undefined, '{\n  "a": 1,\n  "b'],
    [undefined, 'no line'],
    [undefined, Buffer.from([0x50, 0x4b, 0, 0x0a, 0xff])],
  ])('is no answer of %s: %j', (type, body) => {
    expect(pieces(body, type)).toBeUndefined();
  });

  it('are frames of a container as well', () => {
    const frames = framesOf([1, 'line 1\n'], [2, 'oops\n']);
    const cut = Buffer.concat([frames, Buffer.from([1, 0, 0, 0, 0, 0, 0, 9, 0x6c])]);
    expect(wholePieces(cut, undefined)).toEqual(frames);
    expect(wholePieces(cut, 'application/vnd.docker.multiplexed-stream')).toEqual(frames);
    expect(wholePieces(cut.subarray(0, 9), undefined)).toBeUndefined();
  });

  it('is where it was cut, wherever that was', () => {
    const lines = ['{"a":1}', '{"b":"\u00e4"}', '[1,2]', '{"c":{"d":[]}}'];
    const body = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const cuts = fc.integer({ min: 0, max: body.length });
    const types = fc.constantFrom('application/json', 'application/x-ndjson', undefined);
    fc.assert(
      fc.property(cuts, types, (cut, type) => {
        const whole = pieces(body.subarray(0, cut), type) ?? '';
        const told = whole.split('\n').filter((line) => line !== '');
        expect(told).toEqual(lines.slice(0, told.length));
      }),
    );
  });
});
