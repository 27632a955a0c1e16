import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type LineOutput, LineWriter } from '../../../../src/server/mcp/stdio/line-writer.ts';

function recorder(takes: () => boolean = () => true): LineOutput & { readonly written: string[] } {
  const written: string[] = [];
  return {
    written,
    events: new EventEmitter(),
    write(text) {
      written.push(Buffer.from(text).toString());
      return takes();
    },
  };
}

describe('writing lines', () => {
  test('a line alone is written at once', () => {
    const output = recorder();
    void new LineWriter(output).write('a\n', false);
    expect(output.written).toEqual(['a\n']);
  });

  test('a line in pieces follows what is held, piece by piece', async () => {
    const output = recorder();
    const writer = new LineWriter(output);
    void writer.write('held\n', true);
    await writer.writePieces([Buffer.from('["a",'), Buffer.from('"b"]\n')]);
    expect(output.written).toEqual(['held\n', '["a",', '"b"]\n']);
  });

  test('lines that come together are one write, in their order', async () => {
    const output = recorder();
    const writer = new LineWriter(output);
    await Promise.all([writer.write('a\n', true), writer.write('b\n', true)]);
    expect(output.written).toEqual(['a\nb\n']);
  });

  test('a line that does not wait takes along those that do', async () => {
    const output = recorder();
    const writer = new LineWriter(output);
    const held = writer.write('a\n', true);
    await writer.write('b\n', false);
    await held;
    expect(output.written).toEqual(['a\nb\n']);
  });

  test('a full output is waited for', async () => {
    const output = recorder(() => false);
    const done: string[] = [];
    const written = new LineWriter(output).write('a\n', false).then(() => done.push('written'));
    done.push('drain');
    output.events.emit('drain');
    await written;
    expect(done).toEqual(['drain', 'written']);
  });

  test('however many lines wait, the output has one listener', async () => {
    const output = recorder(() => false);
    const writer = new LineWriter(output);
    const written = Promise.all(Array.from({ length: 20 }, (_, n) => writer.write(`${n}\n`, false)));
    expect(output.events.listenerCount('drain')).toBe(1);
    output.events.emit('drain');
    await written;
    expect(output.events.listenerCount('drain')).toBe(0);
  });

  test('an output that fails while it is full rejects', async () => {
    const output = recorder(() => false);
    const written = new LineWriter(output).write('a\n', false);
    output.events.emit('error', new Error('the pipe is broken'));
    await expect(written).rejects.toThrow('the pipe is broken');
  });
});
