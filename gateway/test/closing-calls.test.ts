import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { commandFile } from './command-file.ts';
import { liveFolder } from './live-folder.ts';
import { liveService } from './live-service.ts';

const operation = (operationId: string) => ({ operationId, responses: { 200: { description: 'ok' } } });

/** A gateway before a service that leaves every request open. */
async function silentService() {
  const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let arrived = 0;
  const { base, seen } = await liveService(() => {
    arrivals[arrived++]?.resolve();
    return true;
  });
  const { folder, put, configure, start } = await liveFolder();
  const path = { get: operation('look'), post: operation('buy'), delete: operation('drop') };
  const document = { openapi: '3.1.0', info: { title: 'Api', version: '1' }, paths: { '/one': path } };
  await put('a.json', JSON.stringify(document));
  await configure({
    watch: false,
    store: 'sqlite:./crib.db',
    server: { drain: '10ms' },
    egress: { allow: [base] },
    sources: { a: { openapi: './a.json', baseUrl: base } },
  });
  const faults: unknown[] = [];
  const logger = { error: (...fault: unknown[]) => faults.push(fault), warn: () => undefined } as never;
  const gateway = await start({ logger });
  const ends: unknown[] = [];
  const asked = Promise.withResolvers<void>();
  gateway.onEvent((event) => {
    if (event.type === 'call-failed') ends.push([event.operation, event.code]);
    if (event.type === 'approval-requested') asked.resolve();
  });
  const { url } = await gateway.listen({ port: 0 });
  const call = async (name: string, more: object = {}): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1/tools/a_${name}/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: {}, ...more }),
    });
    const { error } = (await answer.json()) as { error: { code: string } };
    return [answer.status, error.code];
  };
  return {
    folder,
    gateway,
    call,
    ends,
    faults,
    seen,
    arrived: arrivals.map(({ promise }) => promise),
    asked: asked.promise,
  };
}

describe('calls that are open when the time for them has passed', () => {
  it('are told to their callers and recorded: what was read, and what may have been changed', async () => {
    const { gateway, call, ends, faults, arrived } = await silentService();
    const answers = [call('look'), call('buy')];
    await Promise.all(arrived);
    await gateway.close();
    expect(await Promise.all(answers)).toEqual([
      [503, 'interrupted'],
      [504, 'outcome_unknown'],
    ]);
    expect(ends).toHaveLength(2);
    expect(ends).toEqual(
      expect.arrayContaining([
        ['look', 'interrupted'],
        ['buy', 'outcome_unknown'],
      ]),
    );
    expect(faults).toEqual([]);
  });

  it('are the last: a call of a closed gateway is refused, and nothing is sent', async () => {
    const { gateway, seen } = await silentService();
    await gateway.close();
    await expect(gateway.call({ tool: 'a_look', arguments: {} })).rejects.toMatchObject({
      code: 'cancelled',
      message: 'This gateway is closed; nothing was sent.',
    });
    expect(seen).toEqual([]);
  });

  it('name the question that stays open, where they waited for a person', async () => {
    const { gateway, call, ends, seen, asked } = await silentService();
    const answer = call('drop', { wait: 600_000 });
    await asked;
    await gateway.close();
    expect(await answer).toEqual([409, 'approval_required']);
    expect([ends, seen]).toEqual([[['drop', 'approval_required']], []]);
  });

  it('are told over stdio, too, where the process is asked to end', async () => {
    const { folder, gateway, arrived } = await silentService();
    await gateway.close();
    const client = new Client({ name: 'stdio', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [commandFile(), 'serve', '--stdio'],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_STATE_HOME: folder },
    });
    try {
      await client.connect(transport);
      const calls = ['a_look', 'a_buy'].map((name) => client.callTool({ name, arguments: {} }));
      await Promise.all(arrived);
      process.kill(transport.pid!, 'SIGTERM');
      const codes = (await Promise.all(calls)).map(
        ({ _meta }) => (_meta as Record<string, { code: string }>)['toolcrib/error']?.code,
      );
      expect(codes).toEqual(['interrupted', 'outcome_unknown']);
    } finally {
      await client.close();
    }
  });
});
