import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ToolcribError } from '../../src/errors.ts';
import { createLogger, type LoggerOptions } from '../../src/telemetry/logger.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';

function collect(options: LoggerOptions = {}) {
  const lines: string[] = [];
  const logger = createLogger({ ...options, write: (line) => void lines.push(line) });
  return { logger, lines };
}

describe('JSON', () => {
  it('one object a line, in order, errors whole', async () => {
    const { logger, lines } = collect();
    logger.info({ source: 'pets', size: 5n }, 'read');
    logger.error({ err: new Error('outer', { cause: new TypeError('inner') }) }, 'failed');
    logger.warn('bare');
    await logger.flush();
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries).toMatchObject([
      { level: 'info', source: 'pets', size: '5', msg: 'read' },
      {
        level: 'error',
        msg: 'failed',
        err: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
      },
      { level: 'warn', msg: 'bare' },
    ]);
    expect(entries[0].time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(entries[1].err.stack).toContain('logger.test.ts');
    expect(lines.every((line) => line.endsWith('\n'))).toBe(true);
  });

  it.each([
    ['silent', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ] as const)('level %s lets through %j', async (level, expected) => {
    const { logger, lines } = collect({ level });
    for (const at of ['error', 'warn', 'info', 'debug'] as const) logger[at](at);
    await logger.flush();
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
  });
});

it('writes its lines where what formats them cannot be loaded, and tries again', async () => {
  vi.resetModules();
  vi.doMock('pino', () => {
    throw new Error('too many open files');
  });
  onTestFinished(() => {
    vi.doUnmock('pino');
    vi.resetModules();
  });
  const { logger, lines } = collect();
  logger.error({ err: new Error('EMFILE') }, 'no connection');
  logger.warn({ size: { bytes: 5n } }, 'odd');
  await logger.flush();
  vi.doUnmock('pino');
  logger.warn('again');
  await logger.flush();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', err: { message: 'EMFILE' }, msg: 'no connection' },
    { level: 'warn', msg: 'odd' },
    { level: 'warn', msg: 'again' },
  ]);
});

it('an error that people can mend is its message and what to do next; a fault has its stack', async () => {
  const { logger, lines } = collect({ redactor: createRedactor() });
  const cause = new Error('connect ECONNREFUSED');
  const expected = new ToolcribError('upstream_unreachable', 'It refuses.', { cause, next: 'Start it.' });
  logger.error({ err: expected }, 'tried again');
  logger.error({ err: new ToolcribError('internal', 'A fault.', { cause }) }, 'broken');
  await logger.flush();
  const [mendable, fault] = lines.map((line) => JSON.parse(line));
  expect(mendable.err).toEqual({
    name: 'ToolcribError',
    message: 'It refuses.',
    code: 'upstream_unreachable',
    next: 'Start it.',
    cause: { name: 'Error', message: 'connect ECONNREFUSED' },
  });
  expect(fault.err.stack).toContain('logger.test.ts');
  expect(fault.err.cause.stack).toContain('logger.test.ts');

  const pretty = collect({ pretty: true });
  pretty.logger.error({ err: expected }, 'tried again');
  expect(pretty.lines).toEqual([expect.stringMatching(/^\S+ ERROR tried again err="It refuses\."\n$/)]);
});

it('an error says where it is: its advice may be to correct what stands there', async () => {
  const place = { location: 'toolcrib.yaml:3', pointer: '/sources' };
  const err = new ToolcribError('configuration_invalid', 'It is no map.', place);
  const { logger, lines } = collect({ redactor: createRedactor() });
  logger.error({ err }, 'changed');
  await logger.flush();
  expect(JSON.parse(lines[0]!).err).toMatchObject(place);

  const pretty = collect({ pretty: true });
  pretty.logger.error({ err }, 'changed');
  expect(pretty.lines[0]).toContain('err="It is no map. (at toolcrib.yaml:3 /sources)"');
});

it('pretty lines are for reading', () => {
  const { logger, lines } = collect({ pretty: true });
  logger.warn({ source: 'pets', why: 'two words', count: 2 }, 'slow');
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}slow source=pets why="two words" count=2\n$/),
  ]);
});

it('pretty lines hold nothing that steers a terminal', () => {
  const { logger, lines } = collect({ pretty: true });
  logger.error({ err: new Error('red\u001b[31m'), note: 'a\u009b31m' }, 'odd\u001b]0;title\u0007');
  expect(lines[0]).toContain('odd');
  expect(lines[0]!.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

it.each([true, false])(
  'what JSON cannot hold costs no line, and throws nothing (pretty: %s)',
  async (pretty) => {
    const { logger, lines } = collect({ pretty, redactor: createRedactor() });
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const err = new Error('round');
    err.cause = err;
    logger.warn({ circle, size: { bytes: 5n }, nothing: undefined }, 'odd');
    logger.error({ err }, 'causes itself');
    await logger.flush();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('odd');
    expect(lines[1]).toContain('causes itself');
  },
);

it.each([true, false])(
  'secrets are taken out of messages, fields and stacks (pretty: %s)',
  async (pretty) => {
    const redactor = createRedactor();
    redactor.add('hunter22');
    const { logger, lines } = collect({ redactor, pretty });
    logger.error(
      { err: new Error('with hunter22'), authorization: 'Bearer x', note: 'hunter22' },
      'sent hunter22',
    );
    await logger.flush();
    expect(lines.join('')).not.toMatch(/hunter22|Bearer x/);
    expect(lines.join('')).toContain('sent [redacted]');
  },
);

it('writes to standard error, never to standard output', async () => {
  const module = new URL('../../src/telemetry/logger.ts', import.meta.url).href;
  const script = `import { createLogger } from ${JSON.stringify(module)}; const l = createLogger(); l.info('hello'); await l.flush();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(stdout).toBe('');
  expect(stderr).toContain('"msg":"hello"');
});
