import {
  type Description,
  type Diagnostic,
  type HttpInvocation,
  isObject,
  type JsonSchema,
  type Operation,
  parsePointer,
  valueAt,
} from '../../../operations/index.ts';
import { trimEndOf } from '../../../operations/text/trim-runs.ts';
import { securityOf } from '../auth.ts';
import type { ProviderManifest, ProviderOperation } from '../manifest.ts';
import { type OperationPart, partsOf } from '../parameters.ts';
import type { ReadManifest } from '../read-manifest.ts';

/** Lists, choices and bases within each other. */
const MAX_DEPTH = 6;

type Finding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/** A described operation, with the paths that a manifest may know it by. */
interface Documented {
  readonly operation: Operation;
  readonly invocation: HttpInvocation;
  readonly paths: readonly string[];
}

/** One value that the document lets a caller send. */
interface DocumentedPart {
  readonly place: string;
  readonly name: string;
  readonly required: boolean;
  readonly type: string | undefined;
}

/** Where a manifest and an OpenAPI document of the same service disagree. */
export function compareWithOpenApi({ manifest, placeOf }: ReadManifest, document: Description): Diagnostic[] {
  const documented = document.operations.flatMap((operation): Documented[] => {
    const { invocation } = operation;
    return invocation.kind === 'http' ? [{ operation, invocation, paths: pathsOf(invocation) }] : [];
  });
  const base = pathnameOf(manifest.baseUrl);
  return manifest.operations.flatMap((operation, index) =>
    compareOperation(operation, manifest, base, documented).map((finding) => ({
      ...finding,
      ...placeOf(index),
    })),
  );
}

function compareOperation(
  operation: ProviderOperation,
  manifest: ProviderManifest,
  base: string,
  documented: readonly Documented[],
): Finding[] {
  const { id, method, path } = operation;
  const wanted = [shapeOf(path), shapeOf(base + path)];
  const alike = documented.filter(({ paths }) => paths.some((one) => wanted.includes(one)));
  const found = alike.find(({ invocation }) => invocation.method === method);
  if (found !== undefined) return compareParts(operation, manifest, found);
  const methods = [...new Set(alike.map(({ invocation }) => invocation.method))].join(', ');
  return [
    methods === ''
      ? error('openapi-path-missing', `${id}: the document has no path ${path}.`)
      : error(
          'openapi-method-missing',
          `${id}: the document has ${path} with ${methods}, not with ${method}.`,
        ),
  ];
}

function compareParts(
  operation: ProviderOperation,
  manifest: ProviderManifest,
  found: Documented,
): Finding[] {
  const { id, meta } = operation;
  const own = partsOf(operation, manifest);
  const theirs = documentedParts(found, meta?.wrapInData === true);
  const findings: Finding[] = [];
  for (const part of own) {
    if (part.place === 'path') continue;
    const match = theirs.find((one) => one.place === part.place && sameName(one, part));
    if (match !== undefined) {
      const differs = typeDifference(part, match);
      if (differs !== undefined)
        findings.push(warning('openapi-type-differs', `${id}: ${part.name} ${differs}.`));
      continue;
    }
    const elsewhere = theirs.find((one) => one.name === part.name);
    const where = elsewhere === undefined ? 'does not know it' : `has it in ${elsewhere.place}`;
    findings.push(
      warning(
        'openapi-parameter-missing',
        `${id}: ${part.place} parameter ${part.name}: the document ${where}.`,
      ),
    );
  }
  const sent = sentBeside(manifest);
  for (const one of theirs) {
    if (!one.required || one.place === 'path' || sent.has(`${one.place} ${one.name.toLowerCase()}`)) continue;
    const match = own.find((part) => part.place === one.place && sameName(one, part));
    if (match === undefined) {
      findings.push(
        error('openapi-required-unasked', `${id}: the document requires ${one.name} in ${one.place}.`),
      );
    } else if (match.definition.required !== true) {
      findings.push(warning('openapi-required-optional', `${id}: the document requires ${one.name}.`));
    }
  }
  return findings;
}

/** What no caller gives: the credential, which documents list as a parameter, too, and who is acted for. */
function sentBeside(manifest: ProviderManifest): ReadonlySet<string> {
  const { onBehalfOf: acting } = manifest;
  const keys = Object.values(securityOf(manifest).schemes).map((scheme) =>
    scheme.type === 'apiKey' ? scheme : { in: 'header', name: 'authorization' },
  );
  const all = acting === undefined || acting.in === 'token' ? keys : [...keys, acting];
  return new Set(all.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
}

function documentedParts({ operation, invocation }: Documented, wrapped: boolean): DocumentedPart[] {
  const { input } = operation;
  const schemas = isObject(input['properties']) ? input['properties'] : {};
  const required = new Set(Array.isArray(input['required']) ? input['required'] : []);
  return invocation.bindings.flatMap((binding): DocumentedPart[] => {
    const schema = binding.arg === undefined ? undefined : resolved(schemas[binding.arg], input);
    const needed = binding.arg !== undefined && required.has(binding.arg);
    if (binding.in === 'body' && (binding.name === '' || (wrapped && binding.name === 'data'))) {
      return bodyParts(schema, input, wrapped && binding.name === '');
    }
    return [{ place: binding.in, name: binding.name, required: needed, type: typeOf(schema) }];
  });
}

/**
 * Members of a body that is one argument; `unwrap`: of the records in its `data`. Of a body of several forms those of
 * any: what one form says of a member need not hold.
 */
function bodyParts(
  schema: JsonSchema | undefined,
  root: JsonSchema,
  unwrap: boolean,
  depth = 0,
): DocumentedPart[] {
  if (schema === undefined || depth === MAX_DEPTH) return [];
  const inside = (part: unknown, unwraps = unwrap) =>
    bodyParts(resolved(part, root), root, unwraps, depth + 1);
  const members = isObject(schema['properties']) ? schema['properties'] : {};
  if (unwrap && Object.hasOwn(members, 'data')) return inside(members['data'], false);
  if (schema['type'] === 'array') return inside(schema['items'], false);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const forms = [schema['oneOf'] ?? [], schema['anyOf'] ?? []].flat().flatMap((form) => inside(form));
  const own = Object.entries(members).map(([name, member]) => ({
    place: 'body',
    name,
    required: required.includes(name),
    type: typeOf(resolved(member, root)),
  }));
  return [
    ...(unwrap ? [] : own),
    ...[schema['allOf'] ?? []].flat().flatMap((part) => inside(part)),
    ...forms.map((part) => ({ ...part, required: false, type: undefined })),
  ];
}

function resolved(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const target = valueAt(root, parsePointer($ref) ?? []);
  return isObject(target) ? target : undefined;
}

function typeOf(schema: JsonSchema | undefined): string | undefined {
  const type = schema?.['type'];
  if (Array.isArray(type))
    return type.find((one): one is string => typeof one === 'string' && one !== 'null');
  return typeof type === 'string' ? type : undefined;
}

function typeDifference({ definition }: OperationPart, { type }: DocumentedPart): string | undefined {
  const own = definition.type;
  if (own === undefined || type === undefined || own === type) return undefined;
  if (own === 'integer' && type === 'number') return undefined;
  if (own === 'file' && type === 'string') return undefined;
  return `is ${own} here and ${type} in the document`;
}

function sameName(one: { readonly place: string; readonly name: string }, part: OperationPart): boolean {
  return (
    one.name === part.name || (one.place === 'header' && one.name.toLowerCase() === part.name.toLowerCase())
  );
}

/** The document's own path, and the one with the path of its server before it. */
function pathsOf({ path, servers }: HttpInvocation): string[] {
  const plain = path.replace(/[?#].*$/s, '');
  return [plain, ...servers.map(({ url }) => pathnameOf(url) + plain)].map(shapeOf);
}

function pathnameOf(url: string): string {
  return trimEndOf(URL.parse(url)?.pathname ?? '', '/');
}

/** Placeholders are alike whatever they are called. */
function shapeOf(path: string): string {
  return trimEndOf(path.replace(/\{[^{}]*\}/g, '{}'), '/');
}

const error = (code: string, message: string): Finding => ({ code, severity: 'error', message });
const warning = (code: string, message: string): Finding => ({ code, severity: 'warning', message });
