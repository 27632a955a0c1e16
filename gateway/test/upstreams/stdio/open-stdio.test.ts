import { realpathSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createSecretReader } from '../../../src/credentials/secret-reference.ts';
import { type OpenStdioOptions, openStdio } from '../../../src/upstreams/stdio/open-stdio.ts';
import type { UpstreamDefinition } from '../../../src/upstreams/upstreams.ts';
import { definition, folder } from '../scripted.ts';

const KEY = 'value-of-the-key';

/** A program that writes what this is to its stderr, and stays. */
function telling(expression: string, transport: object = {}): UpstreamDefinition {
  const whole = definition();
  return {
    ...whole,
    transport: {
      ...whole.transport,
      args: ['-e', `console.error(${expression}); setInterval(() => undefined, 1000)`],
      env: { API_KEY: KEY },
      ...transport,
    } as UpstreamDefinition['transport'],
  };
}

function open(what: UpstreamDefinition, options: Partial<OpenStdioOptions> = {}) {
  const secrets = createSecretReader(process.env, () => undefined);
  return openStdio(what, { secrets, ...options }, new AbortController().signal);
}

async function told(what: UpstreamDefinition, options: Partial<OpenStdioOptions> = {}) {
  const opened = await open(what, options);
  onTestFinished(() => opened.kill?.());
  await opened.transport.start();
  return opened;
}

test('a program that is to be isolated is not started where nothing isolates it', async () => {
  const isolation = { mode: 'bubblewrap', network: true, read: [], write: [] };
  const opening = open(telling('1', { isolation }));
  await expect(opening).rejects.toMatchObject({ code: 'isolation_unavailable' });
});

test('what its isolation made of the command is what runs, and nothing else', async () => {
  const isolation = { mode: 'bubblewrap', network: true, read: [], write: [] };
  const what = telling("'as it was'", { isolation });
  const { stderrTail } = await told(what, {
    wrap: async (asked, command) => {
      expect(asked).toBe(what);
      return {
        ...command,
        args: ['-e', `console.error('wrapped'); ${command.args[1]}`.replace('as it', 'inside')],
      };
    },
  });
  await expect.poll(() => stderrTail?.()).toBe('wrapped\ninside was');
});

test('what it writes to stderr holds none of the secrets that it was given, nor what else is to be kept out', async () => {
  const redact = (text: string) => text.replaceAll('private', '***');
  const { stderrTail } = await told(telling("'private key ' + process.env.API_KEY"), { redact });
  await expect.poll(() => stderrTail?.()).toBe('*** key [redacted]');
});

test('what it says is without them too; a program that got none is heard as it is', async () => {
  const { conceal } = await open(telling('1'));
  expect(conceal?.({ text: `it is ${KEY}` })).toEqual({ text: 'it is [redacted]' });
  expect(await open(telling('1', { env: {} }))).not.toHaveProperty('conceal');
});

test('it runs where its definition says', async () => {
  const cwd = realpathSync(folder());
  const { stderrTail } = await told(telling('process.cwd()', { cwd }));
  await expect.poll(() => stderrTail?.()).toBe(cwd);
});
