import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import type { GatewayCore } from '../../../gateway-core.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../operations/index.ts';
import { gatewayStops } from '../../../operations/work/gateway-stops.ts';
import { createAsking } from '../../held/asking.ts';
import { countOpenCalls } from '../../open-calls.ts';
import { createListListeners } from '../client-facts.ts';
import { createFollowedResources } from '../followed-resources.ts';
import { createMcpServers } from '../mcp-server.ts';
import { DirectCalls } from '../plain/direct-calls.ts';
import type { LineOutput } from './line-writer.ts';
import { claimStandardOutput } from './standard-output.ts';
import { StdioTransport } from './stdio-transport.ts';
import { Subscriptions } from './subscriptions.ts';

export interface StdioOptions {
  readonly principal?: Principal;
  /** How long answers that are due may take after the client closed its end, milliseconds. */
  readonly drainMs?: number;
  /** Ends the connection from this side: open calls are stopped, and their answers still go out. */
  readonly signal?: AbortSignal;
  readonly onError?: (error: Error) => void;
  /** What comes after the handshake waits for this; a rejection leaves it waiting until the connection ends. */
  readonly ready?: Promise<unknown>;
  /** Called once, when the client has what it first asks for or takes its time: what need not be there before. */
  readonly later?: () => void;
  /** Instead of the process's own streams. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
}

/** How long what need not be there at once waits for a client that asks for nothing, milliseconds. */
const LATER_MS = 1000;
/** How long answers that are due may take once we stop, milliseconds. The SDK's client kills after two seconds. */
const ENDING_MS = 1500;

/**
 * Serves MCP, both eras, on standard input and output. Resolves when the client has gone away. Throws `body_too_large`
 * where it sent a message that is longer than any may be: nobody knows which request that was, so the connection ends.
 */
export async function serveStdio(gateway: GatewayCore, options: StdioOptions = {}): Promise<void> {
  const calls = countOpenCalls(gateway);
  const core = calls.gateway;
  const claimed = options.streams === undefined ? claimStandardOutput() : undefined;
  const input = options.streams?.input ?? process.stdin;
  const output = options.streams === undefined ? claimed!.output : outputTo(options.streams.output);
  const asking = createAsking(core);
  const followed = createFollowedResources(core, options.onError);
  const { create } = createMcpServers(core, { ...asking, followed, listeners: createListListeners() });
  const transport = new StdioTransport(input, output, options.drainMs ?? 3000, options.ready);
  const direct = new DirectCalls({
    send: (id, result) => transport.sendResult(id, result),
    passToSdk: (message) => transport.onmessage?.(message),
  });
  if (options.later !== undefined) transport.afterFirstAnswer(options.later, LATER_MS);
  const principal = options.principal ?? LOCAL_PRINCIPAL;
  const subscriptions = new Subscriptions({ server: core, followed, principal });
  transport.onnotice = (message) => subscriptions.sent(message);
  transport.intercept = (message) => {
    subscriptions.received(message);
    return direct.take(message);
  };
  const handle = serveSdk(
    ({ era }) =>
      create({
        principal,
        era,
        stays: true,
        spliceTools: (json, request) => transport.spliceTools(json, request),
        direct,
      }),
    { transport, ...(options.onError === undefined ? {} : { onerror: options.onError }) },
  );
  const stop = () => {
    for (const [id, result] of subscriptions.close()) transport.sendResult(id, result);
    // each call tells its caller what became of it, as over HTTP; clients wait too short for a drain before that
    calls.stop(gatewayStops());
    transport.end(ENDING_MS);
  };
  if (options.signal?.aborted) stop();
  else options.signal?.addEventListener('abort', stop, { once: true });
  await transport.closed;
  direct.close();
  asking.held.close();
  subscriptions.close();
  followed.close();
  options.signal?.removeEventListener('abort', stop);
  await handle.close();
  claimed?.release();
  if (transport.fault !== undefined) throw transport.fault;
}

function outputTo(stream: Writable): LineOutput {
  return { write: (text) => stream.write(text), events: stream };
}
