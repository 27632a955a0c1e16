import { bytesProblems, separatorOf, textProblems, valueProblems } from './check-value.ts';
import { isObject, type Json, type JsonObject, listOf, objectOf, textOf } from './json.ts';
import {
  type ConnectorOperation,
  internalDefault,
  isBytes,
  type SwaggerDocument,
  schemaView,
  typeOf,
} from './swagger.ts';

/** The inside of `{"request":…}`, not yet believed. */
export interface InvokeRequest {
  readonly method: string;
  readonly path: string;
  readonly queries: JsonObject;
  readonly headers: JsonObject;
  /** Undefined: the request had none. */
  readonly body: Json | undefined;
}

/**
 * All that is wrong with a request by the connector's own Swagger, one sentence each. `path`: decoded values;
 * `issued`: names of queries that the connector itself put into the address of a next page.
 */
export function requestProblems(
  document: SwaggerDocument,
  operation: ConnectorOperation,
  request: InvokeRequest,
  path: Readonly<Record<string, string>>,
  issued: ReadonlySet<string>,
): string[] {
  const at = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const headers = lowerCaseNames(request.headers);
  return [
    ...at('path').flatMap((one) => parameterProblems(one, path[textOf(one.name)])),
    ...at('query').flatMap((one) => parameterProblems(one, request.queries[textOf(one.name)])),
    ...unknownNames(
      request.queries,
      at('query').map(({ name }) => textOf(name)),
      issued,
    ).map((name) => `query ${name}: the operation has none of that name`),
    ...at('header').flatMap((one) => headerProblems(one, headers[textOf(one.name).toLowerCase()])),
    ...unknownNames(headers, [
      ...at('header').map(({ name }) => textOf(name).toLowerCase()),
      'content-type',
    ]).map((name) => `header ${name}: the operation has none of that name`),
    ...bodyProblems(document, operation, request.body, textOf(headers['content-type'])),
  ];
}

const lowerCaseNames = (headers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const unknownNames = (given: JsonObject, known: readonly string[], issued: ReadonlySet<string> = new Set()) =>
  Object.keys(given).filter((name) => !known.includes(name) && !issued.has(name));

/** What a header parameter says about the body or the answer is the sender's to know. */
function headerProblems(parameter: JsonObject, value: Json | undefined): string[] {
  const own = /^(?:accept|content-type)$/i.test(textOf(parameter.name));
  return own && internalDefault(parameter) === undefined ? [] : parameterProblems(parameter, value);
}

function parameterProblems(parameter: JsonObject, value: Json | undefined): string[] {
  const at = `${textOf(parameter.in)} ${textOf(parameter.name)}`;
  const constant = internalDefault(parameter);
  if (constant !== undefined) {
    const text = Array.isArray(constant) ? constant.join(separatorOf(parameter)) : String(constant);
    // Headers have no spaces around their values.
    const wanted = parameter.in === 'header' ? text.trim() : text;
    const same = typeof value === 'string' && (parameter.in === 'header' ? value.trim() : value) === wanted;
    return same ? [] : [`${at}: internal, must be its default "${wanted}"`];
  }
  if (value === undefined) return parameter.required === true ? [`${at}: required`] : [];
  return typeof value === 'string'
    ? textProblems(parameter, value, at)
    : [`${at}: ${JSON.stringify(value)} is not written as text`];
}

function bodyProblems(
  document: SwaggerDocument,
  operation: ConnectorOperation,
  body: Json | undefined,
  contentType: string,
): string[] {
  const fields = operation.parameters.filter((parameter) => parameter.in === 'formData');
  const declared = operation.parameters.find((parameter) => parameter.in === 'body');
  if (fields.length > 0) return formProblems(fields, body, contentType);
  if (declared === undefined) return body === undefined ? [] : ['body: the operation has none'];
  if (body === undefined) return declared.required === true ? ['body: required'] : [];
  const view = schemaView(document, declared.schema);
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const stated = operation.parameters.find(
    (one) => /^content-type$/i.test(textOf(one.name)) && one.in === 'header',
  );
  const bytes = isBytes(view) || /octet-stream|^image\//.test(type);
  const problems = mediaTypeProblems(operation, type, bytes, textOf(stated?.default));
  if (bytes) return [...problems, ...bytesProblems(body, 'body')];
  if (/^text\/|xml$/.test(type))
    return typeof body === 'string' ? problems : [...problems, `body: text is expected for ${type}`];
  return [...problems, ...valueProblems(document, declared.schema, body, 'body')];
}

function mediaTypeProblems(
  operation: ConnectorOperation,
  type: string,
  bytes: boolean,
  stated: string,
): string[] {
  if (type === '') return ['header Content-Type: required with a body'];
  if (stated !== '')
    return type === stated.toLowerCase() ? [] : [`header Content-Type: "${type}" instead of ${stated}`];
  // Documents that say nothing, or JSON about bytes, leave the type of the bytes to the sender.
  const known = operation.consumes.length > 0 ? operation.consumes : ['application/json'];
  return bytes || known.includes(type)
    ? []
    : [`header Content-Type: "${type}" is none of ${known.join(', ')}`];
}

function formProblems(fields: readonly JsonObject[], body: Json | undefined, contentType: string): string[] {
  if (body === undefined) {
    const asked = fields
      .filter((field) => field.required === true)
      .map(({ name }) => `formData ${textOf(name)}: required`);
    return asked;
  }
  if (contentType.startsWith('multipart/form-data')) return multipartProblems(fields, body);
  if (!contentType.startsWith('application/x-www-form-urlencoded'))
    return [`header Content-Type: "${contentType}" is no form`];
  if (typeof body !== 'string') return ['body: an urlencoded form is text'];
  if (fields.some(isBytes)) return ['header Content-Type: a form with files is multipart/form-data'];
  const values = new Map<string, Json[]>();
  for (const [name, value] of new URLSearchParams(body))
    values.set(name, [...(values.get(name) ?? []), value]);
  return fieldProblems(fields, values);
}

function multipartProblems(fields: readonly JsonObject[], body: Json): string[] {
  const parts = objectOf(body).$multipart;
  if (
    !isObject(body) ||
    textOf(body['$content-type']).split(';')[0] !== 'multipart/form-data' ||
    !Array.isArray(parts)
  )
    return ['body: parts go as {"$content-type":"multipart/form-data","$multipart":[…]}'];
  const values = new Map<string, Json[]>();
  for (const part of listOf(parts)) {
    const disposition = textOf(objectOf(objectOf(part).headers)['Content-Disposition']);
    const name = /^form-data; name="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1];
    if (name === undefined) return [`body: a part has no name: ${JSON.stringify(disposition)}`];
    values.set(name, [...(values.get(name) ?? []), objectOf(part).body ?? null]);
  }
  return fieldProblems(fields, values);
}

function fieldProblems(
  fields: readonly JsonObject[],
  values: ReadonlyMap<string, readonly Json[]>,
): string[] {
  const names = fields.map(({ name }) => textOf(name));
  const unknown = [...values.keys()].filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `formData ${name}: the operation has none of that name`),
    ...fields.flatMap((field) => oneFieldProblems(field, values.get(textOf(field.name)) ?? [])),
  ];
}

function oneFieldProblems(field: JsonObject, values: readonly Json[]): string[] {
  const at = `formData ${textOf(field.name)}`;
  if (isBytes(field) && values.length > 0) return values.flatMap((value) => bytesProblems(value, at));
  const several = typeOf(field) === 'array' && values.length > 1;
  if (several) return values.flatMap((value) => textProblems(objectOf(field.items), String(value), at));
  if (values.length > 1) return [`${at}: given ${values.length} times`];
  return parameterProblems(field, values[0]);
}
