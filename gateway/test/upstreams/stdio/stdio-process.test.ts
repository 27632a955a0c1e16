import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openStdioProcess, type StdioProcessOptions } from '../../../src/upstreams/stdio/stdio-process.ts';
import type { OpenedTransport } from '../../../src/upstreams/transports/transport.ts';
import { isUnsent } from '../../../src/upstreams/transports/unsent.ts';
import { withoutDescriptors } from '../../without-descriptors.ts';
import { definition, isAlive, request, started, textOf } from '../scripted.ts';

/** A process of Node that runs the code, with what it sent and when it ended. */
async function running(code: string, options: StdioProcessOptions = {}, env: Record<string, string> = {}) {
  const opened = openStdioProcess({ command: process.execPath, args: ['-e', code], env }, options);
  const messages: JSONRPCMessage[] = [];
  const closed = Promise.withResolvers<void>();
  opened.transport.onmessage = (message) => void messages.push(message);
  opened.transport.onclose = closed.resolve;
  onTestFinished(() => opened.kill?.());
  await opened.transport.start();
  return { opened, messages, closed: closed.promise };
}

const pidOf = (opened: OpenedTransport): number => opened.pid?.() ?? 0;

test('messages arrive that a process wrote right before it left, then its exit code and last words', async () => {
  const { opened, messages, closed } = await running(
    `console.error('disk is full'); process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n', () => process.exit(4))`,
  );
  await closed;
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  expect(opened.fault?.()).toEqual({
    kind: 'exit',
    message: 'The process ended with exit code 4; it last wrote: disk is full.',
  });
});

test('a message cut over many chunks, and lines with carriage returns, are put together', async () => {
  const { messages, closed } = await running(
    `const line = Buffer.from('{"jsonrpc":"2.0","method":"é€😀"}\\r\\n');
     let at = 0;
     const next = () => at < line.length ? process.stdout.write(line.subarray(at, ++at), next) : process.exit(0);
     next();`,
  );
  await closed;
  expect(messages).toEqual([{ jsonrpc: '2.0', method: 'é€😀' }]);
});

test('an error that names no request, as MCP allows it, ends nothing', async () => {
  const { opened, messages, closed } = await running(
    `console.log('{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}');
     console.log('{"jsonrpc":"2.0","id":1,"result":{}}');`,
  );
  await closed;
  expect(messages).toHaveLength(2);
  expect(opened.fault?.()).toMatchObject({ kind: 'exit' });
});

test.each([
  ['a line over the limit', `process.stdout.write('x'.repeat(5000)); setInterval(() => {}, 1000)`],
  ['a cut message', `console.log('{"jsonrpc":"2.0",'); setInterval(() => {}, 1000)`],
  [
    'bytes that are no text',
    `process.stdout.write(Buffer.from([0, 255, 254, 10])); setInterval(() => {}, 1000)`,
  ],
  ['line after line', `setInterval(() => console.log('tick'), 1)`],
])('%s is a fault and ends the process', async (_, code) => {
  const { opened, closed } = await running(code, { maxLineBytes: 4_096 });
  await closed;
  expect(opened.fault?.()).toMatchObject({ kind: 'malformed' });
  await expect.poll(() => isAlive(pidOf(opened))).toBe(false);
});

test('the tail of stderr is bounded, and holds neither secrets nor control characters', async () => {
  const { opened, closed } = await running(
    `for (let i = 0; i < 20000; i += 1) console.error('line', i); console.error('key', process.env.KEY, '\\u001b[31mred')`,
    { secrets: ['s3cr3t-value'] },
    { KEY: 's3cr3t-value' },
  );
  await closed;
  const tail = opened.stderrTail?.() ?? '';
  expect(tail.length).toBeLessThanOrEqual(8_192);
  expect(tail.endsWith('key [redacted] red')).toBe(true);
});

test('a process that says on stdout why it leaves is quoted, without its empty lines', async () => {
  const { opened, closed } = await running(`console.log('\\n\\nPlease set KEY.\\n')`);
  await closed;
  expect(opened.fault?.()?.message).toBe(
    'The process ended with exit code 0; it last wrote: (stdout) Please set KEY.',
  );
  expect(opened.stderrTail?.()).toBe('(stdout) Please set KEY.');
});

test.skipIf(process.platform === 'win32')('what ended by a signal is told by it', async () => {
  const { opened, closed } = await running(`process.kill(process.pid, 'SIGKILL')`);
  await closed;
  expect(opened.fault?.()?.message).toBe('The process ended by SIGKILL.');
});

test('what cannot be started is told by what is missing, the program or its folder', async () => {
  const failing = async (command: string, cwd?: string) => {
    const options = { command, args: [], env: {}, ...(cwd === undefined ? {} : { cwd }) };
    const { transport, fault } = openStdioProcess(options);
    await expect(transport.start()).rejects.toMatchObject({ code: 'ENOENT' });
    return fault?.()?.message;
  };
  const absent = join(import.meta.dirname, 'absent');
  expect(await failing(absent)).toBe(`The program ${absent} cannot be started: there is no such program.`);
  expect(await failing(absent, import.meta.dirname)).toMatch(/there is no such program\.$/);
  expect(await failing(process.execPath, absent)).toBe(
    `The program ${process.execPath} cannot be started: its working directory ${absent} is not there.`,
  );
});

test('what is sent to a process that is gone is known to be unsent', async () => {
  const { opened, closed } = await running('process.exit(0)');
  await closed;
  const sending = opened.transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 });
  await expect(sending).rejects.toSatisfy(isUnsent);
});

test('what a process that closed its input cannot have read is known to be unsent', async () => {
  const { opened, messages } = await running(
    `require('fs').closeSync(0); console.log('{"jsonrpc":"2.0","method":"closed"}'); setInterval(() => {}, 1000)`,
  );
  await expect.poll(() => messages).toHaveLength(1);
  const sending = opened.transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 });
  await expect(sending).rejects.toSatisfy(isUnsent);
});

test.skipIf(process.platform === 'win32')(
  'without a free file descriptor it is said to be that',
  async () => {
    const room = new URL('../../../src/upstreams/stdio/stdio-process.ts', import.meta.url);
    const printed = await withoutDescriptors(
      room,
      `const { transport, fault, kill } = room.openStdioProcess({ command: process.execPath, args: [], env: {} });
     await transport.start().catch((error) => console.log(error.code, fault().message));
     await kill();`,
    );
    expect(printed).toMatch(/^EMFILE The program .* cannot be started: .*EMFILE/);
  },
);

test('a process that ignores SIGTERM and the end of its input is killed within two seconds', async () => {
  const { opened } = await running(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`);
  const began = Date.now();
  await opened.kill?.();
  expect(Date.now() - began).toBeLessThan(2_000);
  await expect.poll(() => isAlive(pidOf(opened))).toBe(false);
});

test('a grandchild that holds the pipes keeps nothing open and does not survive', async () => {
  const { upstreams } = started(definition());
  const grandchild = Number(textOf(await upstreams.call('scripted', 'grandchild', {}, request())));
  expect(isAlive(grandchild)).toBe(true);
  await expect(upstreams.call('scripted', 'crash', {}, request())).rejects.toMatchObject({
    code: 'upstream_crashed',
  });
  await expect.poll(() => isAlive(grandchild)).toBe(false);
});

test('it has the variables that were given, and none of ours', async () => {
  const { messages, closed } = await running(
    `console.log(JSON.stringify({ jsonrpc: '2.0', method: 'env', params: process.env }))`,
    {},
    { GIVEN: 'value' },
  );
  await closed;
  expect(messages).toMatchObject([{ params: { GIVEN: 'value' } }]);
  expect(messages).not.toMatchObject([{ params: { PATH: expect.anything() } }]);
});

test('the end is told once, and before whoever ended it goes on', async () => {
  let ends = 0;
  const { opened, messages } = await running(
    `console.log('{"jsonrpc":"2.0","method":"up"}'); setInterval(() => {}, 1000)`,
  );
  opened.transport.onclose = () => {
    ends++;
  };
  await expect.poll(() => messages).toHaveLength(1);
  const ending = opened.transport.close();
  await expect(opened.transport.send({ jsonrpc: '2.0', method: 'ping', id: 1 })).rejects.toSatisfy(isUnsent);
  await ending;
  expect(ends).toBe(1);
  await expect.poll(() => isAlive(pidOf(opened))).toBe(false);
  await opened.kill?.();
  expect(ends).toBe(1);
});

test.each(['close', 'kill'] as const)('%s leaves it the time to put away what it has', async (how) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-saved-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const saved = join(folder, 'saved');
  const { opened, messages } = await running(
    `process.stdin.resume().on('end', () => { require('fs').writeFileSync(${JSON.stringify(saved)}, ''); process.exit(0); });
     console.log('{"jsonrpc":"2.0","method":"up"}')`,
  );
  await expect.poll(() => messages).toHaveLength(1);
  await (how === 'close' ? opened.transport.close() : opened.kill?.());
  expect(existsSync(saved)).toBe(true);
});

test.skipIf(process.platform === 'win32')('whoever has no time asks nobody', async () => {
  const { opened, messages } = await running(
    `process.on('SIGTERM', () => {}); console.log('{"jsonrpc":"2.0","method":"up"}'); setInterval(() => {}, 1000)`,
  );
  await expect.poll(() => messages).toHaveLength(1);
  opened.killNow?.();
  await expect.poll(() => opened.fault?.()?.message).toBe('The process ended by SIGKILL.');
});

test('of messages that left together, any may have been read before the input closed', async () => {
  const { opened, messages } = await running(
    `require('fs').closeSync(0); console.log('{"jsonrpc":"2.0","method":"closed"}'); setInterval(() => {}, 1000)`,
  );
  await expect.poll(() => messages).toHaveLength(1);
  const sent = await Promise.allSettled(
    [1, 2].map((id) => opened.transport.send({ jsonrpc: '2.0', method: 'ping', id })),
  );
  expect(sent.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(sent.some((one) => isUnsent((one as PromiseRejectedResult).reason))).toBe(false);
});

test('a process that does not read is sent no more than 64 MiB', async () => {
  const { opened } = await running('setInterval(() => {}, 1000)');
  const params = { text: 'x'.repeat(33 * 1024 * 1024) };
  const refused: number[] = [];
  const send = (id: number) =>
    opened.transport.send({ jsonrpc: '2.0', method: 'store', id, params }).catch((error: Error) => {
      if (error.message === 'The process does not read its input.') refused.push(id);
    });
  const [, , third] = [send(1), send(2), send(3)];
  await third;
  expect(refused).toEqual([3]);
});

test('of a line that is no message only the beginning is kept', async () => {
  const { opened, closed } = await running(`console.log('y'.repeat(600))`);
  await closed;
  expect(opened.stderrTail?.()).toBe(`(stdout) ${'y'.repeat(500)}`);
});

test.skipIf(process.platform === 'win32')(
  'an exit is told while a child of it still holds the pipes',
  async () => {
    const { opened, closed } = await running(
      `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
     process.exit(3)`,
    );
    await closed;
    expect(opened.fault?.()?.message).toBe('The process ended with exit code 3.');
  },
);

test.each(['process.exit(0)', 'throw new Error("fault")', 'process.kill(process.pid, "SIGKILL")'])(
  'no server outlives us when we end by %s',
  async (end) => {
    const room = join(import.meta.dirname, '../../../src/upstreams/index.ts');
    const reader = join(import.meta.dirname, '../../../src/credentials/secret-reference.ts');
    const code = `
      const { createUpstreams, openStdio } = await import(${JSON.stringify(room)});
      const { createSecretReader } = await import(${JSON.stringify(reader)});
      const secrets = createSecretReader(process.env, () => {});
      const upstreams = createUpstreams({ record() {}, openTransport: (d, _p, s) => openStdio(d, { secrets }, s) });
      upstreams.configure([${JSON.stringify(definition())}]);
      await upstreams.list('scripted', AbortSignal.timeout(10000));
      console.log(upstreams.states()[0].pid);
      setTimeout(() => { ${end} }, 50);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await new Promise((resolve) => child.once('close', resolve));
    const pid = Number(output.trim());
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);
