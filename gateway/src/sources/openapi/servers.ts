import {
  isObject,
  type Json,
  type JsonObject,
  type ServerTemplate,
  type ServerVariable,
  UNSAFE_KEYS,
} from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import type { Place } from './place.ts';
import { isHttp } from './read/location.ts';
import type { Reading } from './reading.ts';

/** The servers of one operation: its own, else the path item's, else the document's (OpenAPI 3.1 §4.8.10). */
export function operationServers(
  reading: Reading,
  pathItem: Place,
  operation: Place,
  ofDocument: readonly ServerTemplate[],
): readonly ServerTemplate[] {
  if (reading.version.swagger) {
    const { schemes } = operation.node;
    return Array.isArray(schemes) && schemes.length > 0 ? swaggerServers(reading, schemes) : ofDocument;
  }
  for (const { node, pointer } of [operation, pathItem]) {
    const servers = readServers(reading, node.servers, `${pointer}/servers`);
    if (servers.length > 0) return servers;
  }
  return ofDocument;
}

export function documentServers(reading: Reading): readonly ServerTemplate[] {
  const { root } = reading;
  if (reading.version.swagger) return swaggerServers(reading, root.schemes);
  const declared = readServers(reading, root.servers, '#/servers');
  return declared.length > 0 ? declared : [{ url: absoluteUrl(reading, '/') }];
}

function readServers(reading: Reading, declared: Json | undefined, pointer: string): ServerTemplate[] {
  const read: ServerTemplate[] = [];
  for (const [index, server] of listed(reading, declared, pointer).entries()) {
    if (!isObject(server) || typeof server.url !== 'string') {
      reading.log.report(
        'server-invalid',
        'warning',
        'A server needs a `url`; it is left out.',
        `${pointer}/${index}`,
      );
      continue;
    }
    // an empty one says that paths are complete (NetBox, API Platform); resolved, it would be the document itself
    const url = absoluteUrl(reading, withScheme(reading, server.url.trim() || '/'));
    const variables = readVariables(reading, server.variables, url, `${pointer}/${index}`);
    read.push({
      url,
      ...(variables === undefined ? {} : { variables }),
      ...(isLeftToVariable(url, variables) && isHttp(reading.url) ? { relativeTo: reading.url } : {}),
    });
  }
  return read;
}

/** Some write the one server where the list of them belongs. */
function listed({ log }: Reading, declared: Json | undefined, pointer: string): readonly Json[] {
  if (Array.isArray(declared) || declared === undefined || declared === null) return declared ?? [];
  const isOne = isObject(declared) && typeof declared.url === 'string';
  const message = isOne
    ? '`servers` must be a list; the one server that stands in its place is taken.'
    : '`servers` must be a list of objects with a `url`; it is left out.';
  log.report('servers-invalid', 'warning', message, pointer);
  return isOne ? [declared] : [];
}

/** Only with values for its variables it is known whether it is relative: to the document (OpenAPI 3.1 §4.8.5). */
function isLeftToVariable(url: string, variables: ServerTemplate['variables'] = {}): boolean {
  if (url.startsWith('//')) return true;
  const name = /^\{([^{}]+)\}/.exec(url)?.[1];
  if (name === undefined) return false;
  const value = Object.hasOwn(variables, name) ? variables[name]!.default : '/';
  return /^(?:\.{0,2}\/|$)/.test(value);
}

/** Those of the URL's `{names}` that have a value; one without has to be configured, and no call leaves before. */
function readVariables(
  reading: Reading,
  declared: Json | undefined,
  url: string,
  pointer: string,
): Record<string, ServerVariable> | undefined {
  const names = [...url.matchAll(/\{([^{}]+)\}/g)]
    .map((match) => match[1]!)
    .filter((name) => !UNSAFE_KEYS.has(name));
  if (names.length === 0) return undefined;
  const variables: Record<string, ServerVariable> = {};
  for (const name of names) {
    const variable = isObject(declared) && isObject(declared[name]) ? declared[name] : {};
    const allowed = Array.isArray(variable.enum)
      ? variable.enum.flatMap((one) => scalarText(one) ?? [])
      : undefined;
    const value = scalarText(variable.default) ?? allowed?.[0];
    if (value === undefined) {
      reading.log.report(
        'server-variable',
        'warning',
        `The server variable ${name} has no default: set it in \`serverVariables\`.`,
        pointer,
      );
      continue;
    }
    variables[name] = {
      default: value,
      ...(allowed === undefined || allowed.length === 0 ? {} : { enum: allowed }),
    };
  }
  return Object.keys(variables).length === 0 ? undefined : variables;
}

/** A host alone is reached as the document is, and by https where that is a file. */
function withScheme({ url: document }: Reading, url: string): string {
  return url.startsWith('//') && !isHttp(document) ? `https:${url}` : url;
}

/** Relative to the document's address where that is http(s); otherwise it stays relative. */
function absoluteUrl(reading: Reading, url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^\{/.test(url) || !isHttp(reading.url)) return url;
  if (!URL.canParse(url, reading.url)) return url;
  return new URL(url, reading.url).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

/** Swagger 2.0: `schemes` × `host` + `basePath`, https first; or Microsoft's parameterised host. */
function swaggerServers(reading: Reading, declaredSchemes: Json | undefined): readonly ServerTemplate[] {
  const { root } = reading;
  const { host, basePath } = swaggerPlace(reading);
  const schemes = httpSchemes(declaredSchemes, host, reading.url);
  const parameterised = root['x-ms-parameterized-host'];
  if (isObject(parameterised) && typeof parameterised.hostTemplate === 'string') {
    return parameterisedHost(reading, parameterised, parameterised.hostTemplate, schemes, basePath);
  }
  if (host !== '') {
    const named = trimEndOf(host.replace(OF_HOST, ''), '/');
    return schemes.map((scheme) => ({ url: `${scheme}://${named}${basePath}` }));
  }
  return [{ url: absoluteUrl(reading, basePath) }];
}

const ADDRESS = /^(?<origin>https?:\/\/(?<authority>[^/?#]+))(?<path>\/.*)?$/i;

/** `host` and `basePath`, which some write as a whole address: it says what `host` and `schemes` leave open. */
function swaggerPlace({ root, log }: Reading): { host: string; basePath: string } {
  const host = typeof root.host === 'string' ? root.host.trim() : '';
  const said = typeof root.basePath === 'string' ? root.basePath : '';
  const { origin, authority, path = '/' } = ADDRESS.exec(said.trim())?.groups ?? {};
  if (origin === undefined || authority === undefined)
    return { host, basePath: said.replace(/^(?!\/)/, '/') };
  const named = trimEndOf(host.replace(OF_HOST, ''), '/').toLowerCase();
  if (named === '' || named === authority.toLowerCase()) return { host: origin, basePath: path };
  const message = `\`basePath\` is the address of another host than \`host\`: calls go to ${named}${path}. Where that is wrong, \`baseUrl\` of the source says where.`;
  log.report('base-path-invalid', 'warning', message, '#/basePath');
  return { host, basePath: path };
}

const OF_HOST = /^(https?):\/\//i;
const THIS_MACHINE = /^(?:localhost|127\.0\.0\.1)(?:[:/]|$)/i;

/**
 * Where none is said, the one in a host that is an address, else the document's own. A file has none: https, but for
 * this machine, as swag writes it of Go's services (`localhost:8080`).
 */
function httpSchemes(declared: Json | undefined, host: string, url: string): string[] {
  const list = (Array.isArray(declared) ? declared : []).map((scheme) => scalarText(scheme)?.toLowerCase());
  const known = ['https', 'http'].filter((scheme) => list.includes(scheme));
  if (known.length > 0) return known;
  const own = OF_HOST.exec(host)?.[1]?.toLowerCase();
  if (own !== undefined) return [own];
  const isPlain = isHttp(url) ? url.toLowerCase().startsWith('http:') : THIS_MACHINE.test(host);
  return isPlain ? ['http'] : ['https'];
}

function parameterisedHost(
  reading: Reading,
  node: JsonObject,
  template: string,
  schemes: readonly string[],
  basePath: string,
): readonly ServerTemplate[] {
  const variables: JsonObject = {};
  for (const entry of Array.isArray(node.parameters) ? node.parameters : []) {
    const parameter = reading.references.object(entry, '#/x-ms-parameterized-host')?.node;
    if (typeof parameter?.name === 'string' && !UNSAFE_KEYS.has(parameter.name))
      variables[parameter.name] = parameter;
  }
  const prefixes = node.useSchemePrefix === false ? [''] : schemes.map((scheme) => `${scheme}://`);
  return prefixes.map((prefix) => {
    const url = `${prefix}${template}${basePath === '/' ? '' : basePath}`;
    const read = readVariables(reading, variables, url, '#/x-ms-parameterized-host');
    return read === undefined ? { url } : { url, variables: read };
  });
}
