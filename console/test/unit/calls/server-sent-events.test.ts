import { expect, it } from 'vitest';
import { FrameReader } from '../../../src/api/server-sent-events.ts';

const STREAM =
  ': open\n\nid: 1\nevent: call-started\ndata: {"a":1}\n\n: keep-alive\n\nevent: gap\ndata: {"after":1}\n\nid:2\ndata: x\ndata: y\n\n';

it('reads the same frames however the stream is cut', () => {
  const whole = new FrameReader().read(STREAM);
  expect(whole).toEqual([
    { id: '1', event: 'call-started', data: '{"a":1}' },
    { event: 'gap', data: '{"after":1}' },
    { id: '2', event: 'message', data: 'x\ny' },
  ]);
  for (let at = 1; at < STREAM.length; at++) {
    const reader = new FrameReader();
    expect([...reader.read(STREAM.slice(0, at)), ...reader.read(STREAM.slice(at))]).toEqual(whole);
  }
});

it('gives a frame only once it is whole, and none that never ends', () => {
  const reader = new FrameReader();
  expect(reader.read('id: 1\ndata: x\n')).toEqual([]);
  expect(reader.read('\n')).toHaveLength(1);
  expect(() => reader.read('x'.repeat(4_000_001))).toThrow(RangeError);
});
