import { type AzureSettings, servesConnection } from '../operations/index.ts';
import type { ConnectorSnapshot, SnapshotConnection } from '../sources/azure/snapshot.ts';
import { UNAUTHENTICATED_MARK } from '../sources/azure/tool-names.ts';
import { type ArmConnection, isConnected } from './connections.ts';

/** Connections that serve tools, what Azure said of them last, and the documents of their APIs. */
export interface Known {
  /** Something was read from disk or from Azure. */
  readonly isSomething: boolean;
  /** Counts what our own writes changed: a list that was asked for before them is too old. */
  readonly edits: number;
  /**
   * A document belongs to an API, and tools are called by the API's name: where an API of a customer is called like one of
   * Azure's, or like another customer's, its connections are left out.
   */
  connections(): readonly ArmConnection[];
  connection(name: string): ArmConnection | undefined;
  /** One connection of each API. */
  apis(): readonly ArmConnection[];
  /** What an earlier process left; states are not known from it. */
  restore(snapshot: ConnectorSnapshot, complete: (connection: SnapshotConnection) => ArmConnection): void;
  /** Everything that is there now; the disabled ones and those that are not to be served are left out. */
  listed(connections: readonly ArmConnection[]): void;
  /** One of them, new or changed. `edit`: we changed it ourselves. False: it is not to be served. */
  seen(connection: ArmConnection, edit?: 'edit'): boolean;
  gone(name: string): void;
  /** ARM's word, `Unknown` before the first; undefined: there is no such connection. */
  status(name: string): string | undefined;
  /** True when that was news. */
  setStatus(name: string, status: string): boolean;
  /** Called with the name of each connection whose state may have changed; stops listening when called. */
  onStatus(listener: (name: string) => void): () => void;
  documentOf(api: string): string | undefined;
  /** Of the API of this connection; passed over where another one bears its name by now. */
  setDocument(connection: ArmConnection, file: string): void;
  /** `kind` tells one problem from another: the words of the same one are not exchanged. True when it was news. */
  setProblem(api: string, kind: string, message: string): boolean;
  /** Why the API has no document, or not its newest. */
  problemOf(api: string): string | undefined;
  /** One sentence each, the API in front. */
  problems(): readonly string[];
  snapshot(): ConnectorSnapshot;
  marks(): Readonly<Record<string, string>>;
}

interface Entry {
  readonly connection: ArmConnection;
  readonly status: string | undefined;
}

export function createKnown(settings: AzureSettings): Known {
  const entries = new Map<string, Entry>();
  const documents = new Map<string, { readonly file: string; readonly owner: string | undefined }>();
  const problems = new Map<string, { readonly kind: string; readonly message: string }>();
  const listeners = new Set<(name: string) => void>();
  let isSomething = false;
  let wasListed = false;
  let edits = 0;

  const all = () =>
    [...entries.values()].map(({ connection }) => connection).sort((a, b) => (a.name < b.name ? -1 : 1));
  const split = () => {
    const connections = all();
    const owners = ownersOf(connections);
    const isRival = (connection: ArmConnection) => owners.get(connection.api) !== ownerOf(connection);
    return { sorted: connections.filter((one) => !isRival(one)), rivals: connections.filter(isRival) };
  };
  const sorted = () => split().sorted;
  const isServed = ({ name, disabled }: ArmConnection) => !disabled && servesConnection(settings, name);
  const tell = (name: string) => {
    for (const listener of [...listeners]) listener(name);
  };
  const enter = (connection: ArmConnection) =>
    entries.set(connection.name, { connection, status: connection.status });
  /** What no connection needs any more. */
  const forgetUnused = () => {
    const owners = ownersOf(all());
    for (const [api, { owner }] of documents) {
      const isOthers = owner !== undefined && owner !== owners.get(api);
      if (!owners.has(api) || isOthers) documents.delete(api);
    }
    for (const api of problems.keys()) if (!owners.has(api)) problems.delete(api);
  };
  const missing = () =>
    wasListed
      ? (settings.connections ?? []).filter(
          (name) => ![...entries.keys()].some((known) => known.toLowerCase() === name.toLowerCase()),
        )
      : [];
  const problemList = (): ConnectorSnapshot['problems'] => [
    ...missing().map((name) => ({
      message: `There is no connection "${name}" in resource group ${settings.resourceGroup}, or it is disabled.`,
    })),
    ...split().rivals.map(({ name, api }) => ({
      api,
      message: `the connection "${name}" is of another API of this name and has no tools`,
    })),
    ...[...problems].sort(([a], [b]) => (a < b ? -1 : 1)).map(([api, { message }]) => ({ api, message })),
  ];

  return {
    get isSomething() {
      return isSomething;
    },
    get edits() {
      return edits;
    },
    connections: sorted,
    connection: (name) => sorted().find((connection) => connection.name === name),
    apis: () => [...new Map(sorted().map((connection) => [connection.api, connection])).values()],
    restore(snapshot, complete) {
      isSomething = true;
      for (const connection of snapshot.connections.map(complete)) {
        if (isServed(connection)) entries.set(connection.name, { connection, status: undefined });
      }
      for (const [api, file] of Object.entries(snapshot.documents))
        documents.set(api, { file, owner: undefined });
      forgetUnused();
    },
    listed(connections) {
      isSomething = true;
      wasListed = true;
      const before = [...entries.keys()];
      entries.clear();
      for (const connection of connections) if (isServed(connection)) enter(connection);
      forgetUnused();
      for (const name of new Set([...before, ...entries.keys()])) tell(name);
    },
    seen(connection, edit) {
      if (edit !== undefined) edits++;
      const serves = isServed(connection);
      if (serves) {
        isSomething = true;
        enter(connection);
      } else entries.delete(connection.name);
      forgetUnused();
      tell(connection.name);
      return serves;
    },
    gone(name) {
      edits++;
      for (const known of [...entries.keys()]) {
        if (known.toLowerCase() !== name.toLowerCase()) continue;
        entries.delete(known);
        tell(known);
      }
      forgetUnused();
    },
    status(name) {
      const entry = entries.get(name);
      return entry === undefined ? undefined : (entry.status ?? 'Unknown');
    },
    setStatus(name, status) {
      const entry = entries.get(name);
      if (entry === undefined || entry.status === status) return false;
      entries.set(name, { ...entry, status });
      tell(name);
      return true;
    },
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    documentOf: (api) => documents.get(api)?.file,
    setDocument(connection, file) {
      const { api } = connection;
      const owner = ownerOf(connection);
      if (ownersOf(all()).get(api) !== owner) return;
      documents.set(api, { file, owner });
      problems.delete(api);
    },
    setProblem(api, kind, message) {
      if (problems.get(api)?.kind === kind) return false;
      problems.set(api, { kind, message });
      return true;
    },
    problemOf: (api) => problems.get(api)?.message,
    problems: () =>
      problemList().map(({ api, message }) => (api === undefined ? message : `${api}: ${message}`)),
    snapshot: () => ({
      version: 1,
      connections: sorted().map(({ name, api, displayName }) => ({ name, api, displayName })),
      documents: Object.fromEntries(
        [...documents].sort(([a], [b]) => (a < b ? -1 : 1)).map(([api, { file }]) => [api, file]),
      ),
      problems: problemList(),
    }),
    marks() {
      const unsigned = [...entries].filter(([, { status }]) => status !== undefined && !isConnected(status));
      return Object.fromEntries(unsigned.map(([name]) => [name, UNAUTHENTICATED_MARK]));
    },
  };
}

/** Azure's own APIs are the same in every region; those of customers are told apart by their resource. */
function ownerOf({ apiPath }: ArmConnection): string {
  return /\/managedApis\//i.test(apiPath) ? '' : apiPath.toLowerCase();
}

/** Whose each name of an API is: Azure's where there is one, else that of the first connection. */
function ownersOf(connections: readonly ArmConnection[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const connection of connections) {
    const owner = ownerOf(connection);
    if (owner === '' || !owners.has(connection.api)) owners.set(connection.api, owner);
  }
  return owners;
}
