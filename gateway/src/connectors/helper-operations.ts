import type { JsonObject, Operation } from '../operations/index.ts';
import type { ConnectorDocument } from '../sources/azure/connector-document.ts';
import type { ArmConnection } from './connections.ts';

export interface HelperOptions {
  readonly source: string;
  /** The connection and its API's document file; undefined: there is none, or none yet. */
  placeOf(connection: string): { readonly connection: ArmConnection; readonly file: string } | undefined;
  /** A document of the snapshot. */
  read(file: string): Promise<JsonObject | undefined>;
}

const MAX_DOCUMENTS = 4;
const MAX_OPERATIONS = 500;

/**
 * Operations by their operationId, hidden ones too: they list what a parameter accepts. Compiled when they are asked for,
 * kept as long as their document is the same.
 */
export function helperOperations(
  options: HelperOptions,
): (connection: string, operationId: string) => Promise<Operation | undefined> {
  const documents = new Map<string, Promise<ConnectorDocument | undefined>>();
  const compiled = new Map<string, Operation>();

  const open = async (api: string, file: string): Promise<ConnectorDocument | undefined> => {
    const swagger = await options.read(file);
    if (swagger === undefined) return undefined;
    const { openConnectorDocument } = await import('../sources/azure/connector-document.ts');
    return openConnectorDocument(swagger, { api, location: file });
  };

  return async (name, operationId) => {
    const place = options.placeOf(name);
    if (place === undefined) return undefined;
    const { api, displayName } = place.connection;
    const key = JSON.stringify([place.file, api, name, displayName, operationId]);
    const before = compiled.get(key);
    if (before !== undefined) return before;
    const documentKey = `${place.file} ${api}`;
    const opening = kept(documents, documentKey, MAX_DOCUMENTS, () => open(api, place.file));
    const document = await opening.catch((error: unknown) => {
      documents.delete(documentKey);
      throw error;
    });
    if (document === undefined) documents.delete(documentKey);
    if (document === undefined) return undefined;
    const { compileHelper } = await import('../sources/azure/compile-connector.ts');
    const owner = { source: options.source, connection: name, displayName };
    const operation = compileHelper(document, owner, operationId);
    if (operation !== undefined) kept(compiled, key, MAX_OPERATIONS, () => operation);
    return operation;
  };
}

/** The value under a key, made where it is missing; what was entered longest ago makes room. */
function kept<T>(values: Map<string, T>, key: string, capacity: number, make: () => T): T {
  const before = values.get(key);
  if (before !== undefined) return before;
  const value = make();
  values.set(key, value);
  if (values.size > capacity) values.delete(values.keys().next().value!);
  return value;
}
