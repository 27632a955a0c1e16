import { ToolcribError } from '../../errors.ts';
import type { Operation, Skipped } from '../../operations/index.ts';
import { OperationUnusable } from '../openapi/operation-unusable.ts';
import type { ListedOperation } from '../openapi/path-items.ts';
import { compileConnectorOperation } from './compile-operation.ts';
import type { ConnectorDocument } from './connector-document.ts';
import { type ConnectorOperation, type OperationOwner, operationFor } from './connector-operation.ts';
import { type FilterFacts, type FilterOptions, sortOut } from './filters.ts';
import { filterFactsOf, operationIdOf } from './marks.ts';

/** What one managed API offers, before it belongs to a connection. */
export interface CompiledConnector {
  readonly operations: readonly ConnectorOperation[];
  /** `operation` is the operationId. */
  readonly skipped: readonly Skipped[];
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Every operation that becomes a tool. One that cannot be compiled is skipped with its reason. */
export function compileConnector(document: ConnectorDocument, options: FilterOptions): CompiledConnector {
  const operations: ConnectorOperation[] = [];
  const skipped: Skipped[] = document.faults.map(({ method, path, reason }) => ({ method, path, reason }));
  const facts: Array<FilterFacts & { readonly listed: ListedOperation }> = [];
  for (const listed of document.operations) {
    if (METHODS.has(listed.method))
      facts.push({ ...filterFactsOf(listed.operation.node, listed.path), listed });
    else skipped.push(skip(listed, `the method ${listed.method} is no action`));
  }
  const { kept, dropped } = sortOut(facts, options);
  for (const { operation, reason } of dropped) skipped.push(skip(operation.listed, reason));
  const taken = new Set<string>();
  for (const { listed } of kept) {
    try {
      operations.push(withOwnId(compileConnectorOperation(document, listed), listed, taken, document));
    } catch (error) {
      if (error instanceof ToolcribError) throw error;
      // whatever is odd about one operation, the others have nothing to do with it
      skipped.push(skip(listed, (error as Error).message));
      if (error instanceof OperationUnusable) continue;
      const message = `${listed.method} ${listed.path} cannot be compiled: ${(error as Error).message}.`;
      document.log.report('operation-uncompilable', 'error', message, listed.operation.pointer);
    }
  }
  return { operations, skipped };
}

/**
 * Any single operation of a document by its operationId, hidden ones too, for asking about the values of others.
 * Undefined where there is none, or none that can be called.
 */
export function compileHelper(
  document: ConnectorDocument,
  owner: OperationOwner,
  operationId: string,
): Operation | undefined {
  const listed = document.byId.get(operationId);
  if (listed === undefined) return undefined;
  try {
    return operationFor(compileConnectorOperation(document, listed), owner);
  } catch (error) {
    if (error instanceof OperationUnusable) return undefined;
    throw error;
  }
}

/** A second operation of one operationId is called by its place as well. */
function withOwnId(
  compiled: ConnectorOperation,
  { method, path, operation }: ListedOperation,
  taken: Set<string>,
  { log }: ConnectorDocument,
): ConnectorOperation {
  const { operationId } = compiled;
  if (!taken.has(operationId)) {
    taken.add(operationId);
    return compiled;
  }
  const own = `${operationId} ${method} ${path}`;
  taken.add(own);
  const message = `The operationId ${operationId} stands twice; this one is called ${own}.`;
  log.report('operation-id-duplicate', 'warning', message, operation.pointer);
  return { ...compiled, operationId: own };
}

function skip({ method, path, operation }: ListedOperation, reason: string): Skipped {
  const id = operationIdOf(operation.node);
  return { method, path, reason, ...(id === undefined ? {} : { operation: id }) };
}
