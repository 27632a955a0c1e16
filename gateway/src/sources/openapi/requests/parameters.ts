import { makesItRead, overridesMethod } from '../../../operations/http/caller-headers.ts';
import { familyName, namesFamily } from '../../../operations/http/header-family.ts';
import { HTTP_TOKEN } from '../../../operations/http/http-token.ts';
import { type PathKey, parsePathKey } from '../../../operations/http/path-key.ts';
import { percentDecoded } from '../../../operations/http/percent-decoded.ts';
import {
  escapeToken,
  isObject,
  type Json,
  type ParameterBinding,
  type ParameterPlace,
} from '../../../operations/index.ts';
import { isAuthorizationParameter } from '../authorization-parameter.ts';
import { mediaTypeObject } from '../media-type-object.ts';
import { mediaKindOf } from '../media-types.ts';
import { OperationUnusable } from '../operation-unusable.ts';
import type { Place } from '../place.ts';
import type { Reading } from '../reading.ts';
import { withDescription } from '../schemas/descriptions.ts';
import { withoutNull } from '../schemas/without-null.ts';
import { saysNoStyle, withBrackets } from './alike-objects.ts';
import type { RequestPart } from './argument.ts';
import { internalDefault, onlyValue, usualValue } from './constants.ts';
import { readEncoding } from './encoding.ts';
import { isNestedObject, isPlainlyNoObject, isPlainObject } from './nested-query.ts';
import { allowsStyle, defaultExplode, defaultStyle, isReservedHeader } from './places.ts';
import { isSwaggerArray, swaggerArrayBinding } from './swagger-arrays.ts';
import { isFillable, nameInPlaceholder, placeholderFor, placeholdersOf } from './template.ts';

/** Parts for path, query, header and cookie, with a string for every placeholder that nobody declared. */
export function parameterParts(
  reading: Reading,
  path: string,
  beside: readonly Place[],
  pointer: string,
): RequestPart[] {
  if (!isFillable(path)) throw new OperationUnusable('its path has braces that no value can fill');
  const placeholders = placeholdersOf(path);
  const key = parsePathKey(path);
  const isPlainPath = key.path === path;
  if (!isPlainPath) assertCarried(key, placeholders);
  const inPath = new Map<string, RequestPart>();
  const elsewhere: RequestPart[] = [];
  for (const declared of withBrackets(reading, beside)) {
    const part = preparedPart(reading, declared);
    if (part === undefined) continue;
    if (part.place !== 'path') {
      elsewhere.push(part);
      continue;
    }
    const name = placeholderFor(part.name, placeholders);
    if (name === undefined || inPath.has(name)) {
      const message = `The path ${path} has no placeholder for the path parameter ${part.name}; it is left out.`;
      reading.log.report('path-parameter-unused', 'warning', message, declared.pointer);
    } else {
      const binding = { ...part.binding, name } as RequestPart['binding'];
      inPath.set(name, { ...part, ...(part.name === '*' ? { name } : {}), binding });
    }
  }
  const isFilled = isPlainPath ? () => false : filledByQuery(key, elsewhere);
  return [
    ...placeholders.flatMap((name) => {
      const declared = inPath.get(name);
      if (declared === undefined && isFilled(name)) return [];
      return declared ?? undeclared(reading, path, name, pointer);
    }),
    ...elsewhere,
  ];
}

/** `/a?size={size}` with `size` declared for the query: one argument, which is sent as it is declared. */
function filledByQuery(
  { path, query }: PathKey,
  elsewhere: readonly RequestPart[],
): (placeholder: string) => boolean {
  const declared = new Set(elsewhere.flatMap((part) => (part.place === 'query' ? part.name : [])));
  const filled = query.filter(([name]) => declared.has(percentDecoded(name)));
  const names = new Set(filled.flatMap(([, value = '']) => placeholdersOf(value)));
  return (placeholder) => names.has(placeholder) && !placeholdersOf(path).includes(placeholder);
}

/** A request has the path and the query of its path key; a fragment that is no query goes nowhere. */
function assertCarried({ path, query }: PathKey, placeholders: readonly string[]): void {
  const carried = new Set(
    [path, ...query.flatMap(([name, value = '']) => [name, value])].flatMap(placeholdersOf),
  );
  const lost = placeholders.find((name) => !carried.has(name));
  if (lost !== undefined)
    throw new OperationUnusable(`its path has {${lost}} in a fragment, which no request carries`);
}

function undeclared(reading: Reading, path: string, name: string, pointer: string): RequestPart {
  const message = `The placeholder {${name}} of ${path} is not declared; it is taken as a string.`;
  reading.log.report('path-parameter-undeclared', 'warning', message, pointer);
  return {
    place: 'path',
    name: nameInPlaceholder(name),
    required: true,
    schema: { type: 'string' },
    uses: new Set(),
    binding: { in: 'path', name },
  };
}

/** Shared parameters are prepared once. */
function preparedPart(reading: Reading, declared: Place): RequestPart | undefined {
  const known = reading.parameters;
  if (known.has(declared.node)) return known.get(declared.node);
  const part = preparePart(reading, declared);
  known.set(declared.node, part);
  return part;
}

function preparePart(reading: Reading, { node, pointer }: Place): RequestPart | undefined {
  const place = node.in as ParameterPlace;
  const name = String(node.name);
  const override = place === 'header' ? readingMethod(reading, { node, pointer }) : undefined;
  if (place === 'header' && override === undefined && isReservedHeader(name)) {
    const by = isAuthorizationParameter(node) ? '`credentials` or `headers` of the source' : 'the gateway';
    const message = `The header ${name} is set by ${by}; it is no argument.`;
    reading.log.report('header-reserved', 'info', message, pointer);
    return undefined;
  }
  if (reading.fixed.has(`${place}:${place === 'header' ? name.toLowerCase() : name}`)) {
    const setting = place === 'header' ? 'headers' : 'baseUrl';
    const message = `The ${place} parameter ${name} is what \`${setting}\` of the source says; it is no argument.`;
    reading.log.report('parameter-configured', 'info', message, pointer);
    return undefined;
  }
  if (!canBeSent(place, name)) {
    const message = `No request can carry a ${place} parameter called ${JSON.stringify(name)}; it is left out.`;
    reading.log.report('parameter-invalid', 'warning', message, pointer);
    return undefined;
  }
  if (reading.secrets.has(`${place}:${name}`.toLowerCase())) return undefined;
  const media = contentOf(reading, { node, pointer });
  const source = media ?? schemaOf(reading, { node, pointer });
  const contentType = media?.type ?? contentTypeOf(reading, { node, pointer }, source);
  const { schema: converted, uses } = reading.request.convert(source.schema, source.pointer);
  const isFamily = place === 'header' && namesFamily(name);
  const shaped = isFamily ? familySchema(converted) : converted;
  const described = withDescription(shaped, node.description ?? node['x-ms-summary'], source.schema);
  const schema = place === 'path' ? withoutNull(described) : described;
  const required = node.required === true || place === 'path';
  const constant = override ?? constantOf(reading, node, source.schema, required, converted);
  return {
    place,
    name: isFamily ? familyName(name) : name,
    required,
    schema: node.deprecated === true && schema.deprecated !== true ? { ...schema, deprecated: true } : schema,
    uses,
    ...(constant === undefined ? {} : { constant }),
    binding:
      contentType === undefined
        ? {
            in: place,
            name,
            ...styleOf(reading, { node, pointer }, place, source),
            ...(isSeveralSegments(node, converted) ? { encoding: 'slashes' } : {}),
          }
        : { in: place, name, contentType, ...membersOf(reading, media) },
  };
}

/** Values by the names that the headers end with; what describes one of them describes each. */
function familySchema(schema: Json): Json {
  return isObject(schema) && schema.type === 'object'
    ? schema
    : { type: 'object', additionalProperties: schema };
}

/** What grpc-gateway and Google write of `{name=projects/*\/things/*}`: `projects/[^/]+/things/[^/]+`. */
const SEGMENTS = /^\^?(?=.*\[\^\/\])[\w.-]+(?:\/(?:[\w.-]+|\[\^\/\]\+|\.[*+]))+\$?$/;

/** Microsoft's scopes and resource ids (`subscriptions/1/resourceGroups/a`), and resource names of Google's APIs. */
function isSeveralSegments(node: Place['node'], schema: Json): boolean {
  if (node.in !== 'path') return false;
  const pattern = isObject(schema) ? schema.pattern : undefined;
  return node['x-ms-skip-url-encoding'] === true || (typeof pattern === 'string' && SEGMENTS.test(pattern));
}

/** A header's name is a token (RFC 9110 §5.1). */
function canBeSent(place: ParameterPlace, name: string): boolean {
  return place === 'header' ? HTTP_TOKEN.test(name) : name !== '';
}

/** What a required header says that makes a POST a GET with a body: services ask for it, and nobody else may say it. */
function readingMethod(reading: Reading, { node, pointer }: Place): Json | undefined {
  if (node.required !== true || !overridesMethod(String(node.name))) return undefined;
  const value = usualValue(reading.references.object(node.schema ?? node, pointer)?.node);
  return makesItRead(String(node.name), value) ? value : undefined;
}

function constantOf(
  reading: Reading,
  node: Place['node'],
  original: unknown,
  required: boolean,
  converted: Json,
): Json | undefined {
  const internal = internalDefault(node, original);
  if (internal !== undefined) return internal;
  return required && isObject(converted) ? onlyValue(converted, reading.request) : undefined;
}

interface ParameterSchema {
  readonly schema: unknown;
  readonly pointer: string;
}

interface Content extends ParameterSchema {
  readonly type: string;
  readonly encoding: unknown;
}

/** A `content` parameter: its first media type says how the value is written. */
function contentOf(reading: Reading, { node, pointer }: Place): Content | undefined {
  if (!isObject(node.content)) return undefined;
  const type = Object.keys(node.content)[0];
  if (type === undefined) return undefined;
  const media = mediaTypeObject(reading, node.content[type], `${pointer}/content/${escapeToken(type)}`);
  return {
    type,
    schema: media?.node.schema ?? {},
    pointer: `${media?.pointer ?? pointer}/schema`,
    encoding: media?.node.encoding,
  };
}

/** Encoding Objects of a form. */
function membersOf(reading: Reading, content: Content | undefined): Pick<ParameterBinding, 'members'> {
  if (content === undefined || mediaKindOf(content.type) !== 'form') return {};
  const members = readEncoding(reading, content, undefined, 'form', undefined);
  return Object.keys(members).length === 0 ? {} : { members };
}

/** JSON for a query parameter without a style that no style could write. */
function contentTypeOf(
  reading: Reading,
  { node, pointer }: Place,
  source: ParameterSchema,
): string | undefined {
  if (isPlainlyNoObject(source.schema) || !saysNoStyle(reading, node)) return undefined;
  const name = String(node.name);
  if (!isNestedObject(reading, source.schema, source.pointer)) {
    if (isPlainObject(reading, source.schema, source.pointer))
      reading.log.report(
        'query-spread',
        'info',
        `The query parameter ${name} is an object and has no style: its members go out as parameters of their own, as OpenAPI has it. For a service that reads ${name}[member]=… an overlay gives it \`style: deepObject\`; for one that reads JSON, \`content\` with application/json.`,
        pointer,
      );
    return undefined;
  }
  const message = `The query parameter ${name} holds objects and has no style: it is sent as one JSON text. For a service that reads ${name}[member][member]=… an overlay gives it \`style: deepObject\`.`;
  reading.log.report('query-as-json', 'info', message, pointer);
  return 'application/json';
}

/** The Schema Object, or Swagger 2.0's keywords beside `name` and `in`. */
function schemaOf(reading: Reading, { node, pointer }: Place): ParameterSchema {
  const own = node.schema !== undefined && node.schema !== null;
  if (own && (!reading.version.swagger || node.type === undefined))
    return { schema: node.schema, pointer: `${pointer}/schema` };
  const { required: _required, ...schema } = node;
  return { schema, pointer };
}

type Style = Pick<ParameterBinding, 'style' | 'explode' | 'allowReserved' | 'delimiter' | 'nested'>;

/** Only what differs from the place's defaults. */
function styleOf(
  reading: Reading,
  { node, pointer }: Place,
  place: ParameterPlace,
  { schema, pointer: at }: ParameterSchema,
): Style {
  if (reading.version.swagger)
    return isSwaggerArray(reading, schema, at) ? swaggerArrayBinding(reading, { node, pointer }, place) : {};
  const usual = defaultStyle(place);
  const known = allowsStyle(place, node.style);
  if (node.style !== undefined && node.style !== null && !known) {
    const message = `The style ${JSON.stringify(node.style)} is not for ${place} parameters; ${usual} is used.`;
    reading.log.report('style-invalid', 'warning', message, pointer);
  }
  const style = known ? (node.style as ParameterBinding['style'])! : usual;
  const usualExplode = defaultExplode(node.style === 'simple' ? 'simple' : style);
  const explode = typeof node.explode === 'boolean' ? node.explode : usualExplode;
  return {
    ...(style === usual ? {} : { style }),
    ...(explode === defaultExplode(style) ? {} : { explode }),
    ...(node.allowReserved === true ? { allowReserved: true } : {}),
  };
}
