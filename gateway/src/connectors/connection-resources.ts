import { isToolcribError, ToolcribError } from '../errors.ts';
import { type AzureSettings, isObject, type JsonObject } from '../operations/index.ts';
import { untilAborted } from '../operations/work/until-aborted.ts';
import { type ArmClient, armJson } from './arm-client.ts';
import type { ArmPaths } from './arm-paths.ts';
import { readConnection } from './connections.ts';
import type { DocumentFetches } from './document-fetches.ts';
import { fetchConnection } from './fetch-connection.ts';
import type { Known } from './known.ts';
import type { Publisher } from './publisher.ts';
import type { AzureRoom, PutConnection } from './room.ts';

export interface ConnectionResourceOptions {
  readonly settings: AzureSettings;
  readonly client: ArmClient;
  readonly paths: ArmPaths;
  readonly known: Known;
  readonly documents: DocumentFetches;
  readonly publisher: Publisher;
  report(error: unknown, what: string): void;
}

/** Reads, puts and deletes single connections; the catalog follows before it is told. */
export function connectionResources(
  options: ConnectionResourceOptions,
): Pick<AzureRoom, 'getConnection' | 'putConnection' | 'deleteConnection'> {
  const { settings, client, paths, known, documents, publisher, report } = options;

  const readResource = (value: unknown, what: string): JsonObject => {
    if (isObject(value)) return value;
    throw new ToolcribError('upstream_failed', `Azure's answer to "${what}" is no resource.`);
  };

  /** Fetches what is missing of its API, and has the catalog hold its tools. Why it does not, as one sentence. */
  const serve = async (connection: string, signal: AbortSignal): Promise<string | undefined> => {
    const served = known.connection(connection);
    if (served === undefined) {
      return 'It has no tools: it is disabled, or its API is called like another one.';
    }
    if (known.documentOf(served.api) === undefined) await untilAborted(documents.fetch(served), signal);
    await untilAborted(publisher.now(), signal);
    if (known.documentOf(served.api) !== undefined) return undefined;
    return (
      known.problems().find((problem) => problem.startsWith(`${served.api}: `)) ?? `${served.api}: no schema`
    );
  };

  return {
    async getConnection(connection, signal) {
      const found = await fetchConnection(options, connection, signal);
      if (found === undefined) throw noConnection(connection, settings);
      const resource = readResource(found.resource, `get the connection ${connection}`);
      const read = readConnection(resource, paths, settings);
      if (read !== undefined && known.connection(read.name) !== undefined) {
        known.seen(read);
        publisher.soon();
      }
      return resource;
    },
    async putConnection(connection, body, signal): Promise<PutConnection> {
      const purpose = { what: `put the connection ${connection}`, action: 'Microsoft.Web/connections/write' };
      const request = { method: 'PUT', path: paths.connection(connection), body } as const;
      const answer = await client.ask(request, purpose, signal);
      const resource = readResource(armJson(answer, purpose), purpose.what);
      const read = readConnection(resource, paths, settings);
      if (read === undefined) {
        return {
          resource,
          warning: 'Azure names no connection in its answer; `refresh_tools` looks for its tools.',
        };
      }
      known.seen(read, 'edit');
      try {
        const warning = await serve(read.name, signal);
        return { resource, connection: read, ...(warning === undefined ? {} : { warning }) };
      } catch (error) {
        // the connection is there, whatever became of its tools
        const why = isToolcribError(error) ? error.message : 'an unexpected fault';
        if (!isToolcribError(error) && !signal.aborted) report(error, 'the tools of a new connection failed');
        return { resource, connection: read, warning: `Its tools are not there yet: ${why}` };
      }
    },
    async deleteConnection(connection, signal) {
      const purpose = {
        what: `delete the connection ${connection}`,
        action: 'Microsoft.Web/connections/delete',
      };
      const request = { method: 'DELETE', path: paths.connection(connection) } as const;
      const { status } = await client.ask(request, purpose, signal, { also: [404] });
      known.gone(connection);
      const published = publisher.now();
      published.catch((error: unknown) => report(error, 'the tools of a deleted connection remain for now'));
      if (status === 404) throw noConnection(connection, settings);
      await untilAborted(published, signal).catch(() => undefined);
    },
  };
}

function noConnection(name: string, { resourceGroup }: AzureSettings): ToolcribError {
  return new ToolcribError(
    'upstream_status',
    `There is no connection "${name}" in resource group ${resourceGroup}.`,
    { status: 404, next: '`list_connections` shows those that are there.' },
  );
}
