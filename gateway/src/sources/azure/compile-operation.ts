import {
  type AzureInvocation,
  type HttpInvocation,
  isObject,
  type JsonObject,
  type Operation,
} from '../../operations/index.ts';
import { safetyOf } from '../openapi/access.ts';
import { compileOperation } from '../openapi/compile-operation.ts';
import type { ListedOperation } from '../openapi/path-items.ts';
import type { Place } from '../openapi/place.ts';
import { type DeclaredParameters, declaredParameters } from '../openapi/requests/declared-parameters.ts';
import { argumentPlaces } from './argument-places.ts';
import { applyMediaHeaders, bodyFormat } from './body-format.ts';
import { bodyMembers } from './body-members.ts';
import { CompiledInput } from './compiled-input.ts';
import type { ConnectorDocument } from './connector-document.ts';
import type { ConnectorOperation } from './connector-operation.ts';
import { applyDynamics } from './dynamics.ts';
import { operationIdOf, visibilityOf } from './marks.ts';
import { pageableOf } from './pageable.ts';
import { isRawProxy } from './raw-proxy.ts';
import { applyBodyVisibility, applyVisibility } from './visibility.ts';

/** What ARM fills in: the leading placeholder of most paths. */
const CONNECTION = 'connectionId';
const LEADING = /^\/\{connectionId\}(?=\/|$)/;

/** One operation of a connector, whatever it is for. Throws OperationUnusable where something it needs cannot be found. */
export function compileConnectorOperation(
  document: ConnectorDocument,
  listed: ListedOperation,
): ConnectorOperation {
  const { reading, api } = document;
  const { operation: place, pathItem, method } = listed;
  const { node } = place;
  const path = listed.path.replace(LEADING, '') || '/';
  const operationId = operationIdOf(node) ?? `${method} ${listed.path}`;
  const filled = (one: Place) =>
    one.node.in === 'path' && one.node.name === CONNECTION && !path.includes(`{${CONNECTION}}`);
  const compiled = compileOperation(
    reading,
    { ...listed, path },
    {
      source: '',
      id: operationId,
      operationId: operationIdOf(node),
      servers: [],
      security: [],
      omits: filled,
    },
  );
  const {
    kind: _kind,
    servers: _servers,
    security: _security,
    actingUser: _user,
    ...request
  } = compiled.invocation as HttpInvocation;
  const declared = declaredParameters(reading, pathItem, place);
  const members =
    declared.body === undefined ? [] : bodyMembers(reading.references, bodySchema(declared.body));
  const input = new CompiledInput(compiled.input, request.bindings);
  const hidden = applyVisibility(document, input, declared);
  applyEncoding(input, declared);
  const fixed = applyBodyVisibility(document, input, declared, members);
  const contentType = applyMediaHeaders(document, input, declared, place, request);
  const body = bodyFormat(document, input, declared, request.body, contentType);
  const places = argumentPlaces(input.bindings, members, nameOf(declared.body), hidden);
  const dynamics = applyDynamics(document, input, { declared, members, places, pointer: place.pointer });
  const inputs = [
    ...[...declared.beside, ...declared.form].map((one) => ({ name: String(one.node.name), node: one.node })),
    ...members
      .filter(({ tokens }) => tokens.length === 1)
      .map((one) => ({ name: one.tokens[0]!, node: one.node })),
  ];
  const proxy = isRawProxy({ operationId: operationIdOf(node), path, node, inputs });
  const pageable = pageableOf(node, input, compiled.output);
  const {
    id: _id,
    source: _source,
    name: _name,
    description: _description,
    invocation: _invocation,
    ...rest
  } = compiled;
  const { body: _body, bindings: _bindings, ...target } = request;
  const invocation: Omit<AzureInvocation, 'connection'> = {
    kind: 'azure',
    api,
    operationId,
    ...target,
    bindings: input.bindings,
    ...(body === undefined ? {} : { body }),
    ...(fixed.length === 0 ? {} : { fixed }),
    ...dynamics,
    ...(pageable === undefined ? {} : { pageable }),
  };
  const operation = {
    ...rest,
    input: input.input(),
    ...(proxy ? { access: 'dangerous' as const, safety: safetyOf(method, 'dangerous') } : {}),
    ...marksOf(document, node, rest.tags),
  };
  return { operationId, node, operation, invocation };
}

/** Tags, rank, confirmation and capabilities. */
function marksOf(document: ConnectorDocument, node: JsonObject, tags: readonly string[]): Partial<Operation> {
  const visibility = visibilityOf(node);
  const capabilities = node['x-ms-capabilities'];
  return {
    tags: tags.length > 0 ? tags : [document.title],
    ...(visibility === 'important' || visibility === 'advanced' ? { importance: visibility } : {}),
    ...(node['x-ms-require-user-confirmation'] === true
      ? { confirmation: 'The connector asks for a confirmation.' }
      : {}),
    ...(isObject(capabilities) ? { meta: { 'toolcrib/capabilities': capabilities } } : {}),
  };
}

/** `x-ms-url-encoding: double`. */
function applyEncoding(input: CompiledInput, { beside }: DeclaredParameters): void {
  for (const { node } of beside) {
    if (node.in !== 'path' || node['x-ms-url-encoding'] !== 'double') continue;
    const binding = input.binding('path', String(node.name).replace(/^[+*#./;?&]|\*$/g, ''));
    if (binding !== undefined) input.replace(binding, { ...binding, encoding: 'double' } as typeof binding);
  }
}

function bodySchema({ node }: Place): unknown {
  const { schema } = node;
  if (!isObject(schema)) return schema ?? {};
  const beside = Object.entries(node).filter(
    ([key]) => key.startsWith('x-ms-dynamic-') || key === 'x-ms-visibility',
  );
  return beside.length === 0 ? schema : { ...schema, ...Object.fromEntries(beside) };
}

function nameOf(place: Place | undefined): string | undefined {
  return place === undefined ? undefined : String(place.node.name);
}
