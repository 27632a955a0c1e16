import type { Client, Transport } from '@modelcontextprotocol/client';
import { untilAborted } from '../../operations/work/until-aborted.ts';
import { VERSION } from '../../version.ts';
import type { UpstreamDefinition } from '../upstreams.ts';
import { WIDEST_CAPABILITIES } from './questions.ts';

export const CLIENT_INFO = { name: 'toolcrib', version: VERSION } as const;
export const MODERN_VERSION = '2026-07-28';

/** What a server turned out to speak, kept from one start to the next. */
export interface EraMemory {
  legacy?: boolean;
  /** The older era was chosen for its questions; one that then speaks none of it is not asked for that again. */
  chosen?: true;
}

const LONGEST_PROBE_MS = 10_000;

/** The SDK's client for one session, not connected: it negotiates, hears questions and keeps subscriptions. */
export async function createSessionClient(
  definition: UpstreamDefinition,
  memory: EraMemory,
): Promise<Client> {
  const library = await import('@modelcontextprotocol/client');
  const { era, startTimeoutMs } = definition;
  const mode =
    era === 'modern'
      ? ({ pin: MODERN_VERSION } as const)
      : era === 'legacy' || memory.legacy === true
        ? 'legacy'
        : 'auto';
  return new library.Client(CLIENT_INFO, {
    capabilities: WIDEST_CAPABILITIES,
    versionNegotiation: {
      mode,
      probe: { timeoutMs: Math.min(startTimeoutMs / 2, LONGEST_PROBE_MS) },
    },
    inputRequired: { autoFulfill: false },
    // the router validates what tools answer
    jsonSchemaValidator: {
      getValidator: () => (value: unknown) => ({
        valid: true,
        data: value as never,
        errorMessage: undefined,
      }),
    },
  });
}

/** Connects within the signal, also where the SDK does not look at it; the transport is left to the caller. */
export async function connectClient(
  client: Client,
  transport: Transport,
  startTimeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  await untilAborted(client.connect(transport, { signal, timeout: startTimeoutMs }), signal);
}
