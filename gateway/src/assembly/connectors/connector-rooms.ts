import { join } from 'node:path';
import type { CatalogPart } from '../../catalog/build.ts';
import type { Configuration } from '../../config/configuration.ts';
import { azureOf } from '../../config/settings/azure.ts';
import type { AzureRoom } from '../../connectors/index.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { ArgumentAdvice } from '../../executors/azure/index.ts';
import type { Executor } from '../../executors/executor.ts';
import type { GatewayOptions } from '../../gateway-api.ts';
import { type AzureSettings, canonicalHash } from '../../operations/index.ts';
import { VERSION } from '../../version.ts';
import type { Faults } from '../faults.ts';
import { lazily } from '../lazily.ts';
import { createSettingsKey } from '../settings-key.ts';
import type { ConnectorCatalogParts } from './connector-catalog.ts';

export interface ConnectorRoomsParts extends ConnectorCatalogParts {
  /** As it counts now. */
  readonly configuration: () => Configuration;
  readonly egress: Egress;
  readonly faults: () => Promise<Faults>;
  /** Compiles one source again and swaps the catalog. */
  readonly refresh: (source: string) => Promise<void>;
  readonly report: (error: unknown, what: string) => void;
  /** What the embedder brought. */
  readonly options: GatewayOptions['azure'];
}

/** Everything of a gateway that sources of kind `azure` need; nothing is loaded before a source is one. */
export interface ConnectorRooms {
  /** Location of what is known of a source's connections, which goes on being brought up to date. */
  prepare(source: string, signal: AbortSignal): Promise<string | undefined>;
  /** What descriptions say of connections that are not signed in, by the connection's name. */
  marks(source: string): CatalogPart['marks'];
  /** Operations of connectors. */
  readonly executor: Executor;
  /** The sources' own tools. */
  readonly ownTools: Executor;
  /** What arguments could have been, beside errors about them. */
  readonly advise: ArgumentAdvice;
  /** Sources were changed or removed: their rooms end. */
  reconfigured(): Promise<void>;
  close(): Promise<void>;
}

interface OpenRoom {
  /** Of the settings that it was opened with. */
  readonly key: string;
  readonly room: Promise<AzureRoom>;
  /** Once it is open. */
  readonly opened: { room?: AzureRoom };
  close(): Promise<void>;
}

/** A server answers its first list soon; whoever lists once waits until all is there. Milliseconds. */
const SERVING_PATIENCE_MS = 1_000;
const LISTING_PATIENCE_MS = 60_000;

export function createConnectorRooms(parts: ConnectorRoomsParts): ConnectorRooms {
  const { configuration } = parts;
  const keyOf = createSettingsKey<AzureSettings>();
  const rooms = new Map<string, OpenRoom>();
  let closed = false;

  const configured = (source: string): AzureSettings | undefined => {
    const found = configuration().sources[source];
    return found && azureOf(found);
  };
  const settingsOf = (source: string): AzureSettings => {
    const settings = configured(source);
    if (settings === undefined)
      throw new ToolcribError('source_unknown', `Source ${source} is no longer configured.`);
    return settings;
  };
  const roomOf = async (source: string): Promise<AzureRoom> => {
    const settings = settingsOf(source);
    const known = rooms.get(source);
    const key = keyOf(settings);
    if (known?.key === key) return known.room;
    if (closed) throw new ToolcribError('cancelled', 'The gateway is shutting down.');
    const next = openedAfter(known, key, () => openRoom(source, settings, parts));
    rooms.set(source, next);
    return next.room;
  };
  const executors = lazily(async () => {
    const { openConnectorExecutors } = await import('./connector-executors.ts');
    return openConnectorExecutors({ ...parts, room: ({ source }) => roomOf(source), settings: settingsOf });
  });

  return {
    prepare: async (source, signal) => (await roomOf(source)).prepare(signal),
    marks: (source) => rooms.get(source)?.opened.room?.marks(),
    executor: { execute: async (call, context) => (await executors()).executor.execute(call, context) },
    ownTools: { execute: async (call, context) => (await executors()).ownTools.execute(call, context) },
    advise: async (error, call) =>
      call.operation.invocation.kind === 'azure' ? (await executors()).advise(error, call) : error,
    async reconfigured() {
      for (const [source, known] of [...rooms]) {
        const settings = configured(source);
        if (settings !== undefined && keyOf(settings) === known.key) continue;
        rooms.delete(source);
        await known.close();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...rooms.values()].map((known) => known.close()));
    },
  };
}

/** Two rooms never write to one folder at a time. */
function openedAfter(
  before: OpenRoom | undefined,
  key: string,
  open: () => Promise<{ readonly room: AzureRoom; close(): Promise<void> }>,
): OpenRoom {
  const opened: OpenRoom['opened'] = {};
  const opening = Promise.resolve(before?.close()).then(open);
  const room = opening.then((made) => {
    opened.room = made.room;
    return made.room;
  });
  room.catch(() => undefined);
  return { key, room, opened, close: async () => (await opening.catch(() => undefined))?.close() };
}

async function openRoom(
  name: string,
  settings: AzureSettings,
  { configuration, egress, faults, refresh, report, options = {} }: ConnectorRoomsParts,
): Promise<{ readonly room: AzureRoom; close(): Promise<void> }> {
  const [{ createAzureRoom }, { createAzureTokens }, { redactor }] = await Promise.all([
    import('../../connectors/index.ts'),
    import('../../credentials/azure/index.ts'),
    faults(),
  ]);
  const { token: brought, userAgent } = options;
  const tokens = createAzureTokens({
    settings,
    egress,
    env: process.env,
    announce: (secret) => redactor.add(secret),
    now: Date.now,
    // as it is: a log line would hide what a person has to read
    prompt: (message) => process.stderr.write(`${message}\n`),
    ...(brought === undefined ? {} : { credential: { getToken: ownToken(name, brought) } }),
  });
  const { stateDirectory, watch } = configuration();
  const room = createAzureRoom({
    name,
    settings: watch ? settings : { ...settings, refreshMs: 0 },
    egress,
    token: tokens,
    directory: join(stateDirectory, 'azure', `${name}-${placeOf(settings)}`),
    refresh: () => refresh(name),
    report: (error, what) => report(error, `Source ${name}: ${what}.`),
    userAgent: userAgent ?? (() => `toolcrib/${VERSION}`),
    patienceMs: watch ? SERVING_PATIENCE_MS : LISTING_PATIENCE_MS,
  });
  return {
    room,
    async close() {
      tokens.close();
      await room.close();
    },
  };
}

/** How long a token of the embedder's is taken to be good: it is asked again soon, and keeps them itself. Milliseconds. */
const OWN_TOKEN_MS = 60_000;

function ownToken(source: string, token: NonNullable<NonNullable<GatewayOptions['azure']>['token']>) {
  return async (_scope: string | string[], given?: { readonly abortSignal?: AbortSignal }) => ({
    token: await token(source, given?.abortSignal ?? new AbortController().signal),
    expiresOnTimestamp: Date.now() + OWN_TOKEN_MS,
  });
}

/** Tells resource groups apart; what else the settings say changes nothing of what lies there. */
function placeOf({ armEndpoint, subscription, resourceGroup, location }: AzureSettings): string {
  const place = { armEndpoint, subscription, resourceGroup: resourceGroup.toLowerCase(), location };
  return canonicalHash(place).slice('sha256:'.length, 23);
}
