import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import {
  escapeToken,
  isObject,
  type Json,
  type JsonObject,
  type SecurityAlternative,
  type SecurityScheme,
  UNSAFE_KEYS,
} from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import type { DiagnosticLog } from './diagnostics.ts';
import type { Place } from './place.ts';
import type { References } from './read/references.ts';
import type { SpecificationVersion } from './version.ts';

export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/** Security Scheme Objects by name; one that is not understood is reported and left out. */
export function readSecuritySchemes(
  root: JsonObject,
  version: SpecificationVersion,
  references: References,
  log: DiagnosticLog,
): SecuritySchemes {
  const components = isObject(root.components) ? root.components.securitySchemes : undefined;
  const declared = version.swagger ? root.securityDefinitions : components;
  const base = version.swagger ? '#/securityDefinitions' : '#/components/securitySchemes';
  const schemes: Record<string, SecurityScheme> = {};
  // Matrix keeps all of them in a file of their own
  const listed = isObject(declared) ? references.object(declared, base) : undefined;
  for (const [name, node] of Object.entries(listed?.node ?? {})) {
    if (UNSAFE_KEYS.has(name)) continue;
    const pointer = `${listed!.pointer}/${escapeToken(name)}`;
    const target = references.object(node, pointer);
    const scheme = target === undefined ? undefined : readScheme(target.node);
    if (scheme !== undefined) schemes[name] = scheme;
    else
      log.report(
        'security-scheme-unknown',
        'warning',
        `The security scheme ${name} is not understood; what needs it cannot be called.`,
        pointer,
      );
  }
  return schemes;
}

function readScheme(node: JsonObject): SecurityScheme | undefined {
  switch (node.type) {
    case 'basic':
      return { type: 'http', scheme: 'basic' };
    case 'http':
      return typeof node.scheme === 'string'
        ? { type: 'http', scheme: node.scheme.toLowerCase() }
        : undefined;
    case 'apiKey':
      return readApiKey(node);
    case 'oauth2':
      return readOAuth2(node);
    case 'openIdConnect':
      return typeof node.openIdConnectUrl === 'string'
        ? { type: 'openIdConnect', url: node.openIdConnectUrl }
        : undefined;
    case 'mutualTLS':
      return { type: 'mutualTLS' };
    default:
      return undefined;
  }
}

function readApiKey(node: JsonObject): SecurityScheme | undefined {
  const { in: place, name } = node;
  if ((place !== 'header' && place !== 'query' && place !== 'cookie') || typeof name !== 'string')
    return undefined;
  return place === 'header'
    ? readHeaderKey(name, scalarText(node.description) ?? '')
    : { type: 'apiKey', in: place, name };
}

/** Written as the whole line begins: `Authorization: Bearer`, as CrowdSec has it, or `X-Key:`. */
function readHeaderKey(line: string, description: string): SecurityScheme | undefined {
  const [name = '', word = ''] = line.split(':', 2).map((part) => part.trim());
  if (!HTTP_TOKEN.test(name)) return undefined;
  if (word === '') {
    const prefix = wordBefore(name, description);
    return { type: 'apiKey', in: 'header', name, ...(prefix === undefined ? {} : { prefix }) };
  }
  // another header's prefix is nothing that a scheme could say
  if (name.toLowerCase() !== 'authorization') return undefined;
  return /^[\w-]+$/.test(word) ? { type: 'http', scheme: word.toLowerCase() } : undefined;
}

/** `Authorization: Token YOUR_INFLUX_TOKEN`: a word, and what stands for the key. */
const HEADER_LINE = /\b[Aa]uthorization:\s*["'`]?([A-Z][\w-]*)\s+(?:[<{[$(]|[A-Z\d_]{4,}\b|x{3,})/;

/**
 * The word that a service wants before the key, which an API key has no place to say: drf-spectacular writes `required
 * prefix "Token"`, InfluxDB the whole line, swaggo and Swashbuckle that a token follows "Bearer".
 */
function wordBefore(name: string, description: string): string | undefined {
  const required = /\brequired prefix:?\s*["'`“*]*([\w-]+)/i.exec(description)?.[1];
  if (required !== undefined || !/^authorization$/i.test(name)) return required;
  const shown = HEADER_LINE.exec(description)?.[1];
  if (shown !== undefined) return shown;
  return /\bbearer\b/i.test(description) && !/\b(?:without|not|no|omit|exclude)\b|n['’]t\b/i.test(description)
    ? 'Bearer'
    : undefined;
}

type OAuth2Scheme = Extract<SecurityScheme, { readonly type: 'oauth2' }>;

/** The flow that needs no person comes first: client credentials. */
function readOAuth2(node: JsonObject): SecurityScheme {
  const flows = isObject(node.flows) ? node.flows : { [scalarText(node.flow) ?? '']: node };
  const order = [
    'clientCredentials',
    'application',
    'authorizationCode',
    'accessCode',
    'password',
    'deviceAuthorization',
    'implicit',
  ];
  const known = order.flatMap((name) => (isObject(flows[name]) ? [flows[name]] : []));
  const tokenUrl = known.find((flow) => typeof flow.tokenUrl === 'string')?.tokenUrl;
  const refreshUrl = known.find((flow) => typeof flow.refreshUrl === 'string')?.refreshUrl;
  const scopes = new Set(known.flatMap((flow) => (isObject(flow.scopes) ? Object.keys(flow.scopes) : [])));
  return {
    type: 'oauth2',
    ...(typeof tokenUrl === 'string' ? { tokenUrl } : {}),
    ...(typeof refreshUrl === 'string' ? { refreshUrl } : {}),
    scopes: [...scopes],
    ...(isObject(flows.password) ? { password: true } : {}),
    ...codeFlow(flows),
  };
}

/** 2.0 calls it `accessCode`. */
function codeFlow(flows: JsonObject): Pick<OAuth2Scheme, 'authorizationCode'> {
  const flow = flows.authorizationCode ?? flows.accessCode;
  if (!isObject(flow) || typeof flow.authorizationUrl !== 'string') return {};
  const { authorizationUrl, tokenUrl, refreshUrl } = flow;
  return {
    authorizationCode: {
      authorizationUrl,
      ...(typeof tokenUrl === 'string' ? { tokenUrl } : {}),
      ...(typeof refreshUrl === 'string' ? { refreshUrl } : {}),
    },
  };
}

/** The operation's own requirement, else the document's. An empty list means that nothing is sent. */
export function operationSecurity(
  root: JsonObject,
  operation: Place,
  schemes: SecuritySchemes,
  log: DiagnosticLog,
): readonly SecurityAlternative[] {
  const own = operation.node.security;
  if (own !== undefined && own !== null)
    return readAlternatives(own, schemes, log, `${operation.pointer}/security`);
  return root.security === undefined || root.security === null
    ? []
    : readAlternatives(root.security, schemes, log, '#/security');
}

function readAlternatives(
  value: Json,
  schemes: SecuritySchemes,
  log: DiagnosticLog,
  pointer: string,
): SecurityAlternative[] {
  const list = isObject(value) ? [value] : value;
  if (!Array.isArray(list)) {
    log.report('security-invalid', 'warning', '`security` must be a list; no credential is sent.', pointer);
    return [];
  }
  return list.flatMap((entry, index): SecurityAlternative[] => {
    if (typeof entry === 'string' && Object.hasOwn(schemes, entry)) {
      const message = `A security requirement must be an object; ${entry} is taken for the scheme of that name.`;
      log.report('security-invalid', 'warning', message, `${pointer}/${index}`);
      return [{ [entry]: [] }];
    }
    if (!isObject(entry)) {
      const message = 'A security requirement must be an object; this way to authenticate is left out.';
      log.report('security-invalid', 'warning', message, `${pointer}/${index}`);
      return [];
    }
    const alternative: Record<string, readonly string[]> = {};
    for (const [name, scopes] of Object.entries(entry)) {
      if (UNSAFE_KEYS.has(name)) continue;
      if (!Object.hasOwn(schemes, name)) {
        log.report(
          'security-scheme-missing',
          'warning',
          `The security scheme ${name} is not defined; this way to authenticate cannot be used.`,
          pointer,
        );
      }
      alternative[name] = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
    }
    return [alternative];
  });
}

/** By `place:name` of every apiKey, lower case, the schemes that put it there: such a parameter is a credential. */
export function secretParameters(
  schemes: SecuritySchemes,
): ReadonlyMap<string, readonly [string, ...string[]]> {
  const secrets = new Map<string, [string, ...string[]]>();
  for (const [name, scheme] of Object.entries(schemes)) {
    if (scheme.type !== 'apiKey') continue;
    const key = `${scheme.in}:${scheme.name}`.toLowerCase();
    const known = secrets.get(key);
    secrets.set(key, known === undefined ? [name] : [...known, name]);
  }
  return secrets;
}
