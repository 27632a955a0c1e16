import type {
  HttpInvocation,
  Operation,
  SecurityAlternative,
  ServerTemplate,
} from '../../operations/index.ts';
import { accessOf, safetyOf } from './access.ts';
import { answerHeaders } from './answer-headers.ts';
import { withListedKeys } from './listed-keys.ts';
import { keepsLetters, nameFromPath } from './names.ts';
import type { ListedOperation } from './path-items.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';
import { assembleInput } from './requests/argument.ts';
import { type BodyParts, requestBody } from './requests/body.ts';
import { type DeclaredParameters, declaredParameters } from './requests/declared-parameters.ts';
import { parameterParts } from './requests/parameters.ts';
import { swaggerBody } from './requests/swagger-body.ts';
import { withBraces, withoutRouterMarks, withRest } from './requests/template.ts';
import { reportWholePatch } from './requests/whole-patch.ts';
import { readResponses } from './responses.ts';
import { termsOf } from './terms.ts';
import { descriptionOf, titleOf } from './texts.ts';

export interface OperationContext {
  readonly source: string;
  readonly id: string;
  readonly operationId: string | undefined;
  readonly servers: readonly ServerTemplate[];
  readonly security: readonly SecurityAlternative[];
  /** Parameters that somebody else fills in: neither argument nor binding. */
  readonly omits?: (parameter: Place) => boolean;
}

/** swagger-autogen writes both: what it reads in the code, and what a comment says in the way of Swagger 2.0. */
function bodyOf(reading: Reading, operation: Place, declared: DeclaredParameters): BodyParts | undefined {
  const body = requestBody(reading, operation);
  if (body === undefined) return swaggerBody(reading, operation, declared);
  for (const { node, pointer } of [declared.body, ...declared.form].filter((one) => one !== undefined)) {
    const message = `A request has one body: requestBody is sent, the ${node.in} parameter ${node.name} is left out.`;
    reading.log.report('body-unused', 'warning', message, pointer);
  }
  return body;
}

/** One operation of the document. Throws OperationUnusable where something it needs cannot be found. */
export function compileOperation(
  reading: Reading,
  listed: ListedOperation,
  context: OperationContext,
): Operation {
  const { method, operation, pathItem } = listed;
  const { node } = operation;
  const declared = declaredParameters(reading, pathItem, operation);
  const path = filledPath(reading, listed, declared.beside);
  const { omits } = context;
  const asked = omits === undefined ? declared.beside : declared.beside.filter((one) => !omits(one));
  const beside = parameterParts(reading, path, asked, operation.pointer);
  const body = bodyOf(reading, operation, declared);
  if (body === undefined) reportNothingToChange(reading, listed, asked);
  else reportWholePatch(reading, listed);
  const security = withListedKeys(reading, operation, asked, context.security);
  const { input, bindings } = assembleInput([...beside, ...(body?.parts ?? [])], reading.request);
  const { output, wrapsResult, accept, responses } = readResponses(reading, operation);
  const headers = answerHeaders(reading, pathItem, responses);
  const { operationId } = context;
  const access = accessOf({ method: method.toUpperCase(), path, operationId, node, input });
  const title = titleOf(node, method, path);
  const hints = reading.hints.of({ ...operation, id: context.id, method, path: listed.path });
  const requirements = reading.requirements.of(operation, security);
  const terms = termsOf(node, operation.pointer, reading.log);
  const invocation: Writable<HttpInvocation> = {
    kind: 'http',
    method,
    path,
    servers: context.servers,
    bindings,
  };
  if (body !== undefined) invocation.body = body.format;
  invocation.accept = accept;
  invocation.security = security;
  if (wrapsResult) invocation.wrapsResult = true;
  // One assignment after the other: a literal of conditional spreads costs several times as much, once an operation.
  const compiled: Writable<Operation> = { id: context.id, source: context.source };
  if (operationId === undefined || !keepsLetters(operationId)) compiled.name = nameFromPath(method, path);
  if (title !== undefined) compiled.title = title;
  compiled.description = descriptionOf(node, pathItem.node, method, path);
  compiled.input = input;
  if (output !== undefined) compiled.output = output;
  if (headers !== undefined) compiled.answerHeaders = headers;
  compiled.access = access;
  compiled.tags = tagsOf(node.tags);
  if (node.deprecated === true) compiled.deprecated = true;
  compiled.safety = safetyOf(method.toUpperCase(), access);
  if (terms.safety !== undefined) compiled.safety = { ...compiled.safety, ...terms.safety };
  if (hints?.limits.repeat === false) compiled.safety = { ...compiled.safety, idempotent: false };
  if (requirements !== undefined) compiled.requirements = requirements;
  if (hints !== undefined && Object.keys(hints.limits).length > 0) compiled.limits = hints.limits;
  if (terms.cost !== undefined) compiled.cost = terms.cost;
  if (terms.budget !== undefined) compiled.budget = terms.budget;
  if (hints !== undefined) compiled.hints = hints.hints;
  compiled.invocation = invocation as HttpInvocation;
  return Object.freeze(compiled as Operation);
}

/** The path key, with placeholders that can be filled. */
function filledPath(
  reading: Reading,
  { path, operation }: ListedOperation,
  beside: readonly Place[],
): string {
  const plain = withoutRouterMarks(path);
  const filled = plain.includes('/:') ? withBraces(plain, namesInPath(beside)) : plain;
  if (filled !== plain) {
    const message = `The path ${path} writes placeholders with a colon; ${filled} is called.`;
    reading.log.report('path-parameter-colon', 'warning', message, operation.pointer);
  }
  const shown = withRest(filled);
  if (shown !== filled) {
    const message = `The path ${path} has a wildcard of its router, which no parameter fills; it is sent as it stands. An overlay that has ${shown} in its place lets callers fill it.`;
    reading.log.report('path-wildcard', 'warning', message, operation.pointer);
  }
  return filled;
}

function namesInPath(beside: readonly Place[]): ReadonlySet<string> {
  return new Set(beside.flatMap(({ node }) => (node.in === 'path' ? String(node.name) : [])));
}

/** Only a PATCH: others that send nothing but an address are actions of their own (`PUT /gists/{id}/star`). */
function reportNothingToChange(
  reading: Reading,
  { method, path, operation }: ListedOperation,
  asked: readonly Place[],
): void {
  if (method.toUpperCase() !== 'PATCH' || asked.some(({ node }) => node.in !== 'path')) return;
  const message = `PATCH ${path} says nowhere what a caller could change; no body is sent. Where the service reads one, an overlay describes it.`;
  reading.log.report('body-undeclared', 'info', message, operation.pointer);
}

/** While it is put together, member by member. */
type Writable<T> = { -readonly [K in keyof T]?: T[K] };

function tagsOf(tags: unknown): string[] {
  const list = Array.isArray(tags) ? tags : [];
  return [...new Set(list.filter((tag) => typeof tag === 'string' && tag !== ''))];
}
