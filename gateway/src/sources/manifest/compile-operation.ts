import type {
  ArgumentRule,
  Binding,
  BodyFormat,
  HttpInvocation,
  Operation,
  ParameterBinding,
  SecurityAlternative,
} from '../../operations/index.ts';
import { declaredBudget, declaredCost } from '../declared-terms.ts';
import { safetyOf } from '../openapi/access.ts';
import { inputSchemaOf } from './input-schema.ts';
import type { ProviderManifest, ProviderOperation } from './manifest.ts';
import { type OperationPart, partsOf } from './parameters.ts';
import { toolName } from './tool-name.ts';

/** Fields of the answer named in a description; more would cost tokens and say little. */
const MAX_HINTS = 12;

const CONTENT_TYPES = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  form: 'application/x-www-form-urlencoded',
} as const;

/** One operation of a checked manifest. Pure. */
export function compileOperation(
  operation: ProviderOperation,
  manifest: ProviderManifest,
  source: string,
  security: readonly SecurityAlternative[],
): Operation {
  const parts = partsOf(operation, manifest);
  const { requires, deprecated, limits } = operation;
  const { value: cost } = declaredCost(stated(operation.cost));
  const { value: budget } = declaredBudget(stated(operation.budget));
  return Object.freeze({
    id: operation.id,
    source,
    name: toolName(manifest.provider, operation.id),
    title: operation.title ?? titleOf(operation.id),
    description: descriptionOf(operation, manifest),
    input: inputSchemaOf(parts),
    access: operation.access,
    tags: operation.tags ?? [],
    ...(deprecated || manifest.deprecated !== undefined ? { deprecated: true } : {}),
    safety: safety(operation),
    ...(requires === undefined ? {} : { requirements: defined(requires) }),
    ...(limits === undefined
      ? {}
      : {
          limits: {
            ...(limits.timeoutSeconds === undefined ? {} : { timeoutMs: limits.timeoutSeconds * 1000 }),
            ...(limits.maxAttempts === undefined ? {} : { maxAttempts: limits.maxAttempts }),
            ...(limits.maxOutputBytes === undefined ? {} : { maxOutputBytes: limits.maxOutputBytes }),
          },
        }),
    ...(cost === undefined ? {} : { cost }),
    ...(budget === undefined ? {} : { budget }),
    invocation: invocationOf(operation, manifest, parts, security),
  });
}

/** Without members that are undefined, which a manifest in code may have. */
function stated(given: object | undefined): unknown {
  return given === undefined
    ? undefined
    : Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What an operation without scruples would look like: its access says more than its method. */
function safety({ method, access, safety: stated }: ProviderOperation): Operation['safety'] {
  const usual = safetyOf(method, access);
  return {
    ...usual,
    destructive: stated?.destructive ?? (usual.destructive || method === 'DELETE'),
    idempotent: stated?.idempotent ?? (usual.idempotent || access === 'read'),
  };
}

function invocationOf(
  operation: ProviderOperation,
  manifest: ProviderManifest,
  parts: readonly OperationPart[],
  security: readonly SecurityAlternative[],
): HttpInvocation {
  const body = bodyOf(operation, parts);
  const rules = rulesOf(operation, manifest, parts);
  return {
    kind: 'http',
    method: operation.method,
    path: operation.path,
    servers: [{ url: manifest.baseUrl }],
    bindings: [...parts.map((part) => bindingOf(part, operation)), ...actingUserBinding(operation, manifest)],
    ...(body === undefined ? {} : { body }),
    accept: operation.response === 'binary' ? ['*/*'] : ['application/json'],
    security,
    ...(operation.meta?.requiresOnBehalfOf === true ? { actingUser: 'required' as const } : {}),
    ...(rules.length === 0 ? {} : { rules }),
  };
}

function bindingOf(
  { place, name, argument, definition }: OperationPart,
  operation: ProviderOperation,
): Binding {
  if (place === 'body') return { arg: argument, in: 'body', name, contentType: contentTypeOf(operation) };
  const binding: ParameterBinding = { arg: argument, in: place, name };
  return definition.type === 'array' && definition.style === 'comma' && place === 'query'
    ? { ...binding, explode: false }
    : binding;
}

function actingUserBinding({ meta }: ProviderOperation, { onBehalfOf }: ProviderManifest): Binding[] {
  const wanted = meta?.requiresOnBehalfOf === true || meta?.acceptsOnBehalfOf === true;
  if (!wanted || onBehalfOf === undefined || onBehalfOf.in === 'token') return [];
  return [{ inject: 'actingUser', in: onBehalfOf.in, name: onBehalfOf.name }];
}

function bodyOf(operation: ProviderOperation, parts: readonly OperationPart[]): BodyFormat | undefined {
  const fields = parts.filter(({ place }) => place === 'body');
  if (fields.length === 0) return undefined;
  const files = fields.filter(
    ({ definition }) => definition.type === 'file' || definition.items?.type === 'file',
  );
  return {
    contentType: contentTypeOf(operation),
    required: fields.some(({ definition }) => definition.required === true),
    ...(operation.meta?.wrapInData === true ? { wrapInData: true } : {}),
    ...(files.length === 0
      ? {}
      : { encoding: Object.fromEntries(files.map(({ name }) => [name, { file: true }])) }),
  };
}

function rulesOf(
  operation: ProviderOperation,
  { pagination }: ProviderManifest,
  parts: readonly OperationPart[],
): ArgumentRule[] {
  const rules: ArgumentRule[] = (operation.exactlyOne ?? []).map((exactlyOne) => ({ exactlyOne }));
  const query = parts.filter(({ place }) => place === 'query');
  const alone = operation.paginated === true && query.find(({ name }) => name === pagination?.alone);
  if (alone && query.length > 1) {
    rules.push({
      alone: alone.argument,
      without: query.filter((part) => part !== alone).map(({ argument }) => argument),
    });
  }
  return rules;
}

/** `[Greenhouse] …`, then what the answer holds and what a caller must know. */
function descriptionOf(operation: ProviderOperation, { displayName, operations }: ProviderManifest): string {
  const { description, responseHints = [], deprecated, verified } = operation;
  const sentences = [`[${displayName}] ${description}`];
  if (responseHints.length > 0) {
    const more = responseHints.length > MAX_HINTS ? ' …' : '';
    sentences.push(`Answers with ${responseHints.slice(0, MAX_HINTS).join(', ')}${more}.`);
  }
  if (typeof deprecated === 'object') {
    const { removal, replacement } = deprecated;
    const tool = operations.some(({ id }) => id === replacement)
      ? `the operation ${replacement}`
      : replacement;
    sentences.push(
      `Deprecated${removal === undefined ? '' : `, removed on ${removal}`}${tool === undefined ? '' : `: use ${tool}`}.`,
    );
  } else if (deprecated) sentences.push('Deprecated.');
  if (verified === false) sentences.push("Not checked against the provider's documentation.");
  return sentences.join(' ');
}

/** `list_candidates` in words. */
function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function contentTypeOf({ contentType = 'json' }: ProviderOperation): string {
  return CONTENT_TYPES[contentType];
}

function defined({
  permissions,
  roles,
  feature,
}: NonNullable<ProviderOperation['requires']>): NonNullable<Operation['requirements']> {
  return {
    ...(permissions === undefined ? {} : { permissions }),
    ...(roles === undefined ? {} : { roles }),
    ...(feature === undefined ? {} : { feature }),
  };
}
