import { type AzureInvocation, isObject, type JsonObject, type Operation } from '../../operations/index.ts';
import { plainText, startsAlike } from '../openapi/texts.ts';
import { buildToolDescription, toolNameOf } from './tool-names.ts';

/** An operation of a managed API before it belongs to a connection. */
export interface ConnectorOperation {
  readonly operationId: string;
  /** The Operation Object. */
  readonly node: JsonObject;
  readonly operation: Omit<Operation, 'id' | 'source' | 'name' | 'description' | 'invocation'>;
  readonly invocation: Omit<AzureInvocation, 'connection'>;
}

/** The connection that an operation is for. */
export interface OperationOwner {
  /** Name of the source. */
  readonly source: string;
  /** Name of the API connection. */
  readonly connection: string;
  /** What descriptions put in brackets. */
  readonly displayName: string;
}

/**
 * `<connection>.<operationId>`. A dot within the name of a connection is `%2E`: `a.b` and `Get` would be what `a` and
 * `b.Get` are, and rules for `a.*` would mean both connections.
 */
export function operationIdFor(connection: string, operationId: string): string {
  return `${connection.replaceAll('.', '%2E')}.${operationId}`;
}

/** The operation as this connection's, named and described for it. */
export function operationFor(template: ConnectorOperation, owner: OperationOwner): Operation {
  const { operationId, node, operation, invocation } = template;
  const { source, connection, displayName } = owner;
  return Object.freeze({
    id: operationIdFor(connection, operationId),
    source,
    name: toolNameOf(invocation.api, operationId, connection),
    ...operation,
    description: descriptionOf(node, template, displayName),
    invocation: { ...invocation, connection },
  });
}

/** One line as of every connector; what else there is to say follows in a paragraph of its own. */
function descriptionOf(node: JsonObject, { operationId }: ConnectorOperation, displayName: string): string {
  const summary = plainText(node.summary) || plainText(node['x-ms-summary']);
  const description = plainText(node.description);
  const first = buildToolDescription({ displayName }, { summary, description: description || operationId });
  const more = summary !== '' && description !== '' && !saysNoMore(description, summary) ? [description] : [];
  const old =
    node.deprecated === true ? ['Deprecated.', replacementOf(node)].filter((part) => part !== '') : [];
  const second = [...old, ...more].join(' ');
  return second === '' ? first : `${first}\n\n${second}`;
}

/** `Get emails` and `Get emails.` are the same; a longer text that only begins alike is not. */
function saysNoMore(description: string, summary: string): boolean {
  return startsAlike(description, summary) && description.length <= summary.length + 2;
}

function replacementOf(node: JsonObject): string {
  const annotation = node['x-ms-api-annotation'];
  const replacement = isObject(annotation) ? annotation.replacement : undefined;
  if (!isObject(replacement) || typeof replacement.operationId !== 'string') return '';
  const api = typeof replacement.api === 'string' ? ` of ${replacement.api}` : '';
  return `Use ${replacement.operationId}${api} instead.`;
}
