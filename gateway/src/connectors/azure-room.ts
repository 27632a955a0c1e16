import type { AzureTokens } from '../credentials/azure/index.ts';
import type { Egress } from '../egress/index.ts';
import { isToolcribError, ToolcribError } from '../errors.ts';
import { type AzureSettings, servesConnection } from '../operations/index.ts';
import { once } from '../operations/work/once.ts';
import { untilAborted } from '../operations/work/until-aborted.ts';
import type { SnapshotConnection } from '../sources/azure/snapshot.ts';
import { fetchApiDocument } from './api-document.ts';
import { type ARM_RETRY, createArmClient } from './arm-client.ts';
import { armPaths, isSegment } from './arm-paths.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { connectionResources } from './connection-resources.ts';
import { createConsents } from './consent/consents.ts';
import { documentFetches } from './document-fetches.ts';
import { helperOperations } from './helper-operations.ts';
import { createKnown } from './known.ts';
import { createLoader } from './loader.ts';
import { managedApis } from './managed-apis.ts';
import { createPublisher } from './publisher.ts';
import type { AzureRoom } from './room.ts';
import { snapshotFiles } from './snapshot-files.ts';

export interface AzureRoomOptions {
  /** The source's name. */
  readonly name: string;
  readonly settings: AzureSettings;
  readonly egress: Egress;
  readonly token: AzureTokens;
  /** Folder of this source's snapshot, absolute; made where it is missing. */
  readonly directory: string;
  /** Compiles the source again; resolves when the catalog has been exchanged. Never called twice at a time. */
  refresh(): Promise<void>;
  /** What went wrong in the background; `what` ends "Source NAME: …". */
  report(error: unknown, what: string): void;
  userAgent(): string;
  /** How long a first start waits for Azure, milliseconds. Default 2,000. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
  /** Waits between attempts at Azure Resource Manager. */
  readonly retry?: typeof ARM_RETRY;
}

const PATIENCE_MS = 2_000;
/** How long a tool waits for the list that could not be had before. */
const RETRY_PATIENCE_MS = 5_000;

export function createAzureRoom(options: AzureRoomOptions): AzureRoom {
  const { name, settings, egress, report, patienceMs = PATIENCE_MS, clock = SYSTEM_CLOCK, retry } = options;
  const ending = new AbortController();
  const life = ending.signal;
  const paths = armPaths(settings);
  const again = retry === undefined ? {} : { retry };
  const client = createArmClient({
    settings,
    egress,
    tokens: options.token,
    clock,
    userAgent: options.userAgent,
    ...again,
  });
  const files = snapshotFiles(options.directory);
  const known = createKnown(settings);
  const apis = managedApis(client, paths, clock);
  let unwritable: ToolcribError | undefined;
  let retrying: Promise<void> | undefined;

  const publisher = createPublisher({
    clock,
    report,
    refresh: options.refresh,
    async write() {
      if (!known.isSomething) return '';
      const marks = JSON.stringify(known.marks());
      try {
        const text = await files.write(known.snapshot());
        unwritable = undefined;
        return text + marks;
      } catch (cause) {
        const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
        unwritable = new ToolcribError(
          'file_unusable',
          `What is known of the connections cannot be written to the state folder (${reason}).`,
          { cause },
        );
        throw unwritable;
      }
    },
  });
  const documents = documentFetches({
    known,
    life,
    keep: files.keep,
    arrived: publisher.soon,
    report,
    fetch: (api, signal) =>
      fetchApiDocument(api, { client, egress, armEndpoint: settings.armEndpoint, ...again }, signal),
  });
  const loader = createLoader({
    settings,
    client,
    paths,
    known,
    documents,
    clock,
    life,
    report,
    changed: publisher.soon,
  });
  const consents = createConsents({
    settings,
    client,
    paths,
    tokens: options.token,
    known,
    clock,
    life,
    changed: publisher.soon,
  });
  const helper = helperOperations({
    source: name,
    read: files.readDocument,
    placeOf(connectionName) {
      const connection = known.connection(connectionName);
      const file = connection === undefined ? undefined : known.documentOf(connection.api);
      return connection === undefined || file === undefined ? undefined : { connection, file };
    },
  });

  const fromDisk = ({ name: connection, api, displayName }: SnapshotConnection) => ({
    name: connection,
    api,
    displayName,
    status: 'Unknown',
    disabled: false,
    apiPath: paths.managedApi(api),
  });
  const restore = once(async () => {
    const snapshot = await files.read();
    if (snapshot === undefined || known.isSomething) return;
    const connections = snapshot.connections.filter(({ name: own, api }) => isSegment(own) && isSegment(api));
    known.restore({ ...snapshot, connections }, fromDisk);
  });

  /** The promise's end or the time, whichever is first. */
  const within = async (work: Promise<unknown>, ms: number, signal: AbortSignal) => {
    const over = Promise.withResolvers<void>();
    const cancel = clock.after(ms, over.resolve);
    try {
      await untilAborted(Promise.race([work, over.promise]), signal);
    } finally {
      cancel();
    }
  };

  const resources = connectionResources({ settings, client, paths, known, documents, publisher, report });

  const room: AzureRoom = {
    name,
    settings,
    managedApis: apis,
    invokePath: paths.invoke,
    url: client.url,
    send: client.send,
    helper,
    marks: known.marks,
    connections: known.connections,
    status: known.status,
    connectionPath: (connection) =>
      connection === undefined ? paths.connections : paths.connection(connection),
    managedApiPath: (location, api) =>
      api === undefined ? paths.managedApis(location) : paths.managedApi(api, location),
    managedApiId: (api, location) => decodeURIComponent(paths.managedApi(api, location)),
    problem: () => loader.problem() ?? unwritable,
    apiProblem: known.problemOf,

    async prepare(signal) {
      if (!life.aborted) {
        await untilAborted(restore(), signal);
        const first = loader.start();
        if (!known.isSomething) await within(first, patienceMs, signal);
        await publisher
          .handOut()
          .catch((error: unknown) => report(error, 'its snapshot could not be written'));
      }
      return known.isSomething && unwritable === undefined ? files.location : undefined;
    },
    async retry(signal) {
      if (loader.problem() === undefined || life.aborted) return;
      retrying ??= loader
        .load('missing', life)
        .catch(() => undefined)
        .finally(() => {
          retrying = undefined;
        });
      await within(retrying, RETRY_PATIENCE_MS, signal);
    },
    checkReach(connection) {
      if (servesConnection(settings, connection)) return;
      throw new ToolcribError(
        'tool_forbidden',
        `The configuration limits this source to the connections ${settings.connections?.join(', ')}.`,
      );
    },
    observed(connection, status) {
      if (known.setStatus(connection, status)) publisher.soon();
    },
    consentLink: consents.link,
    whenConnected: consents.whenConnected,
    listConnections: loader.list,
    ...resources,
    async reload(signal) {
      apis.forget();
      const errors: string[] = [];
      try {
        await loader.load('everything', signal);
      } catch (error) {
        if (signal.aborted || !isToolcribError(error)) throw error;
        errors.push(error.message);
      }
      await untilAborted(publisher.now(), signal);
      return [...errors, ...known.problems()];
    },
    async close() {
      ending.abort(new ToolcribError('cancelled', `Source ${name} was closed.`));
      loader.close();
      consents.close();
      await documents.settled();
      await publisher.close();
    },
  };
  return room;
}
