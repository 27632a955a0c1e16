import { UNSAFE_KEYS } from '../../operations/index.ts';
import type { Problem } from '../../operations/text/schema-problems.ts';
import type { ParameterDef, ProviderManifest, ProviderOperation } from './manifest.ts';
import { partsOf, placeholdersOf, sharedNames } from './parameters.ts';

type Context = Pick<ProviderManifest, 'parameters' | 'pagination' | 'onBehalfOf'>;

/** What a schema cannot say of an operation: placeholders, references, and what fits together. Paths are relative to it. */
export function checkOperation(operation: ProviderOperation, manifest: Context): Problem[] {
  return [
    ...checkReferences(operation, manifest),
    ...checkPlaceholders(operation, manifest),
    ...checkBody(operation),
    ...checkMeta(operation, manifest),
    ...checkExactlyOne(operation, manifest),
    ...checkValues(operation.params ?? {}, ['params'], false),
    ...checkValues(operation.body ?? {}, ['body'], operation.contentType === 'multipart'),
  ];
}

function checkReferences(operation: ProviderOperation, { parameters = {}, pagination }: Context): Problem[] {
  const problems: Problem[] = [];
  for (const name of sharedNames(operation, pagination)) {
    if (Object.hasOwn(parameters, name)) continue;
    problems.push({ path: ['parameters'], message: `There is no shared parameter ${name}.` });
  }
  if (operation.paginated === true && pagination === undefined) {
    problems.push({ path: ['paginated'], message: 'The manifest says nothing about pagination.' });
  }
  return problems;
}

function checkPlaceholders(operation: ProviderOperation, manifest: Context): Problem[] {
  const problems: Problem[] = [];
  const { path } = operation;
  const placeholders = placeholdersOf(path);
  const say = (message: string, at: readonly PropertyKey[] = ['path']) =>
    problems.push({ path: at, message });
  if (/[{}]/.test(path.replace(/\{[A-Za-z][A-Za-z0-9_.-]*\}/g, ''))) {
    say(`The placeholders of ${path} cannot be read: write {name}.`);
  }
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) {
    say(`The path ${path} has a dot segment.`);
  }
  for (const [index, name] of placeholders.entries()) {
    if (placeholders.indexOf(name) !== index) say(`The placeholder {${name}} stands twice in ${path}.`);
  }
  const inPath = partsOf(operation, manifest).filter(({ place }) => place === 'path');
  for (const name of new Set(placeholders)) {
    if (inPath.some((part) => part.name === name)) continue;
    say(`The placeholder {${name}} of ${path} is not declared in params.`);
  }
  for (const { name } of inPath) {
    if (placeholders.includes(name)) continue;
    say(`The path ${path} has no placeholder {${name}}.`, ['params', name]);
  }
  return problems;
}

function checkBody({ method, body, contentType }: ProviderOperation): Problem[] {
  if (body === undefined) {
    return contentType === undefined
      ? []
      : [{ path: ['contentType'], message: 'There is no body to have this content type.' }];
  }
  if (method === 'GET' || method === 'HEAD') {
    return [{ path: ['body'], message: `A ${method} request has no body.` }];
  }
  return [];
}

function checkMeta({ meta, body, contentType }: ProviderOperation, { onBehalfOf }: Context): Problem[] {
  const problems: Problem[] = [];
  if (meta?.wrapInData === true && (body === undefined || (contentType ?? 'json') !== 'json')) {
    problems.push({ path: ['meta', 'wrapInData'], message: 'wrapInData needs a JSON body.' });
  }
  for (const key of ['requiresOnBehalfOf', 'acceptsOnBehalfOf'] as const) {
    if (meta?.[key] !== true || onBehalfOf !== undefined) continue;
    const message = `${key} needs onBehalfOf in the manifest: where the acting user is sent.`;
    problems.push({ path: ['meta', key], message });
  }
  return problems;
}

function checkExactlyOne(operation: ProviderOperation, manifest: Context): Problem[] {
  if (operation.exactlyOne === undefined) return [];
  const parts = new Map(partsOf(operation, manifest).map((part) => [part.argument, part]));
  return operation.exactlyOne.flatMap((list, index) =>
    list.flatMap((argument): Problem[] => {
      const path = ['exactlyOne', index];
      const part = parts.get(argument);
      if (part === undefined) return [{ path, message: `There is no argument ${argument}.` }];
      if (part.definition.required === true) return [{ path, message: `${argument} is required anyway.` }];
      return [];
    }),
  );
}

/** Values that JSON Schema would take and the wire could not carry. */
function checkValues(
  values: Readonly<Record<string, ParameterDef>>,
  at: readonly PropertyKey[],
  files: boolean,
): Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = [...at, name];
    if (UNSAFE_KEYS.has(name)) return [{ path, message: `${name} cannot be a name.` }];
    return checkValue(value, path, files);
  });
}

function checkValue(value: ParameterDef, path: readonly PropertyKey[], files: boolean): Problem[] {
  const problems: Problem[] = [];
  const say = (key: string, message: string) => problems.push({ path: [...path, key], message });
  if (value.type === 'file' && !files) say('type', 'A file needs contentType: multipart.');
  if (value.items !== undefined && value.type !== 'array') say('items', 'items needs type: array.');
  if (value.properties !== undefined && value.type !== 'object')
    say('properties', 'properties needs type: object.');
  if (value.style !== undefined && value.type !== 'array') say('style', 'style needs type: array.');
  if (value.enum !== undefined && value.default !== undefined && !value.enum.includes(value.default)) {
    say('default', 'The default is none of the values of enum.');
  }
  if (value.pattern !== undefined && !isPattern(value.pattern)) say('pattern', 'Is no regular expression.');
  return [
    ...problems,
    ...(value.items === undefined ? [] : checkValue(value.items, [...path, 'items'], files)),
    ...checkValues(value.properties ?? {}, [...path, 'properties'], false),
  ];
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
