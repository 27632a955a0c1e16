import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { egressConfiguration } from '../../config/settings/egress.ts';
import { createEgress } from '../../egress/index.ts';
import { claimStandardOutput } from '../../server/mcp/stdio/standard-output.ts';
import { StdioTransport } from '../../server/mcp/stdio/stdio-transport.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { gatewayFetch } from './gateway-fetch.ts';
import { createRelayServer } from './relay-server.ts';
import { type RemoteAddress, remoteAddress } from './remote-address.ts';
import { connectRemote, type RemoteClient } from './remote-client.ts';
import { type RemoteKey, remoteKey } from './remote-key.ts';
import type { RemoteOptions } from './remote-options.ts';
import { type RemoteProfile, remoteProfile } from './remote-profile.ts';

/** How long the first request waits for a gateway that is starting. */
const START_PATIENCE_MS = 5000;
const DRAIN_MS = 3000;

/**
 * Gives a desktop client a team gateway's view over standard input and output: no source is opened here and no
 * store. Resolves when the client has gone away.
 */
export async function serveRemote(
  options: RemoteOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const address = remoteAddress(options.remote, options.allowPrivate);
  const key = await remoteKey(options.key, terminal);
  const egress = createEgress({
    ...egressConfiguration(undefined, { env: terminal.env, baseDirectory: terminal.cwd }),
    allow: [new URL(address.base).origin],
  });
  try {
    const patient = gatewayFetch({ egress, patienceMs: START_PATIENCE_MS });
    const profile = await remoteProfile(address, key, patient, signal);
    const remote = await connectRemote(address, key, egress, signal);
    return await relay({ address, key, profile, remote }, terminal, signal);
  } finally {
    await egress.close();
  }
}

interface Connected {
  readonly address: RemoteAddress;
  readonly key: RemoteKey;
  readonly profile: RemoteProfile;
  readonly remote: RemoteClient;
}

async function relay(
  { address, key, profile, remote }: Connected,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const levels = Object.entries(profile.effectiveAccess).map(([category, level]) => `${category} ${level}`);
  terminal.note(`Connected to ${address.base}: ${levels.join(', ')}.`);
  const claimed = claimStandardOutput();
  const transport = new StdioTransport(process.stdin, claimed.output, DRAIN_MS);
  const handle = serveSdk(() => createRelayServer(remote, key), { transport });
  const stop = () => void handle.close();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    await transport.closed;
  } finally {
    signal.removeEventListener('abort', stop);
    await handle.close();
    await remote.close();
    claimed.release();
  }
  if (transport.fault !== undefined) throw transport.fault;
  return 0;
}
