import {
  type AzureSettings,
  canonicalJson,
  type Description,
  type Diagnostic,
  emptyDescription,
  hashBytes,
  type Operation,
  type Skipped,
  servesConnection,
} from '../../operations/index.ts';
import type { SourceContext } from '../source-kind.ts';
import { armTools } from './arm-tools.ts';
import { type CompiledConnector, compileConnector } from './compile-connector.ts';
import { readConnectorDocument } from './connector-document.ts';
import { operationFor, operationIdFor } from './connector-operation.ts';
import { readSnapshot, siblingOf } from './read-snapshot.ts';
import type { ConnectorSnapshot, SnapshotConnection } from './snapshot.ts';

/** Raised when the same snapshot would be described differently. */
const REVISION = 1;

/**
 * The tools of a resource group: its own ones, and the operations of every connection in the snapshot. Without a
 * snapshot that can be read, the own ones alone. One broken document costs its connections' tools, with a diagnostic.
 */
export async function describeAzure(
  settings: AzureSettings,
  snapshotLocation: string | undefined,
  context: SourceContext,
): Promise<Description> {
  const gathering = new Gathering(settings, context);
  if (snapshotLocation !== undefined) await gathering.read(snapshotLocation);
  return gathering.description();
}

class Gathering {
  readonly #settings: AzureSettings;
  readonly #context: SourceContext;
  readonly #operations: Operation[];
  readonly #skipped: Skipped[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #read: string[] = [];

  constructor(settings: AzureSettings, context: SourceContext) {
    this.#settings = settings;
    this.#context = context;
    this.#operations = armTools(context.name);
  }

  async read(location: string): Promise<void> {
    const snapshot = await this.#snapshot(location);
    if (snapshot === undefined) return;
    for (const { api, message } of snapshot.problems)
      this.#report('connector-problem', 'warning', api === undefined ? message : `${api}: ${message}`);
    const served = snapshot.connections.filter(({ name }) => servesConnection(this.#settings, name));
    for (const [api, file] of Object.entries(snapshot.documents)) {
      const connections = served.filter((connection) => connection.api === api);
      if (connections.length > 0) await this.#connector(api, () => siblingOf(location, file), connections);
    }
  }

  description(): Description {
    const said = canonicalJson({ settings: this.#settings, revision: REVISION });
    return {
      ...emptyDescription(hashBytes([said, ...this.#read].join(' '))),
      operations: this.#operations,
      skipped: this.#skipped,
      diagnostics: this.#diagnostics,
    };
  }

  async #snapshot(location: string): Promise<ConnectorSnapshot | undefined> {
    try {
      const bytes = await this.#context.reader.read(location, this.#context.signal);
      this.#read.push(hashBytes(bytes));
      return readSnapshot(bytes);
    } catch (error) {
      this.#context.signal.throwIfAborted();
      const reason = (error as Error).message.replace(/\.$/, '');
      this.#report(
        'snapshot-unreadable',
        'warning',
        `What is known of the connections cannot be read: ${reason}. Their tools are missing until it is fetched again.`,
      );
      return undefined;
    }
  }

  /** `locate` throws for a document that the snapshot has no business to name. */
  async #connector(
    api: string,
    locate: () => string,
    connections: readonly SnapshotConnection[],
  ): Promise<void> {
    const { reader, signal, hintReaders } = this.#context;
    signal.throwIfAborted();
    let compiled: CompiledConnector;
    try {
      const bytes = await reader.read(locate(), signal);
      this.#read.push(hashBytes(bytes));
      const document = await readConnectorDocument(bytes, {
        api,
        location: `${api}.json`,
        ...(hintReaders === undefined ? {} : { hintReaders }),
      });
      compiled = compileConnector(document, this.#settings);
      for (const diagnostic of document.log.list())
        this.#diagnostics.push({ ...diagnostic, location: `${api}.json` });
    } catch (error) {
      signal.throwIfAborted();
      const reason = (error as Error).message.replace(/\.$/, '');
      this.#report('connector-unreadable', 'error', `${api}: ${reason}. Its connections have no tools.`);
      return;
    }
    for (const connection of connections) this.#add(compiled, connection);
  }

  #add({ operations, skipped }: CompiledConnector, { name, displayName }: SnapshotConnection): void {
    const owner = { source: this.#context.name, connection: name, displayName };
    for (const template of operations) this.#operations.push(operationFor(template, owner));
    for (const { operation, ...place } of skipped)
      this.#skipped.push(
        operation === undefined ? place : { ...place, operation: operationIdFor(name, operation) },
      );
  }

  #report(code: string, severity: Diagnostic['severity'], message: string): void {
    this.#diagnostics.push({ code, severity, message });
  }
}
