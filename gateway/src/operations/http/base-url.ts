import { ToolcribError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import type { HttpInvocation, ServerTemplate } from '../invocation/http-invocation.ts';
import { trimEndOf } from '../text/trim-runs.ts';
import { remember } from '../work/remember.ts';
import { includesCredentials } from './includes-credentials.ts';

/** Where an operation's paths begin. */
export interface BaseUrl {
  /** `https://api.example.com:8443` */
  readonly origin: string;
  /** Without trailing slash; '' for the root. */
  readonly path: string;
  /** Without `?`; '' when there is none. */
  readonly query: string;
  /** As it is named: what relative addresses of its document are relative to (OpenAPI 3.1 §4.6). */
  readonly href: string;
}

const ADVICE = 'name one with --base-url, or `baseUrl` of the source in the configuration';

/** What replaces a server replaces its path, too. */
function wholeOf(text: string): string {
  return /^\/[^/]/.test(text) ? `${ADVICE}, its path included: https://HOST${text}` : ADVICE;
}

const HOST = /^(?:(?<near>localhost|127\.0\.0\.1)|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})(?::\d+)?(?:\/\S*)?$/i;

/** A host whose scheme was forgotten, with one; undefined: it is none. */
function withScheme(text: string): string | undefined {
  const found = HOST.exec(text);
  if (found === null) return undefined;
  return `${found.groups!['near'] === undefined ? 'https' : 'http'}://${text}`;
}

/** What of a connection says where its calls go. */
type Place = Pick<Connection, 'source' | 'baseUrl' | 'serverVariables'>;

/** The connection's base URL, else the first server with its variables. Throws `configuration_invalid`. */
export function baseUrlOf(invocation: HttpInvocation, connection: Place): BaseUrl {
  if (connection.baseUrl !== undefined) return parsed(connection.baseUrl, connection);
  const server = invocation.servers[0];
  if (server === undefined) throw invalid(connection, `The document names no server: ${ADVICE}`);
  return parsed(expandServer(server, connection), connection);
}

/** With the slash before it, and whether one follows. */
const VARIABLE = /(\/?)\{([^{}]*)\}(?=(\/?))/g;

/** Server Variable Objects: the connection's value, else the default; `enum` is checked. */
function expandServer(server: ServerTemplate, connection: Place): string {
  const text = withValues(server, connection);
  const isRelative = server.relativeTo !== undefined && /^\.{0,2}\//.test(text);
  return isRelative ? (URL.parse(text, server.relativeTo)?.href ?? text) : text;
}

function withValues(server: ServerTemplate, connection: Place): string {
  const endOfHost = /^(?:[^:/]*:)?\/\/[^/]*/.exec(server.url)?.[0].length ?? 0;
  return server.url.replace(VARIABLE, (_, before: string, name: string, after: string, at: number) => {
    const variable = ownMember(server.variables, name);
    const value = ownMember(connection.serverVariables, name) ?? variable?.default;
    if (value === undefined || (value === '' && at + before.length < endOfHost)) {
      throw invalid(
        connection,
        `The server ${server.url} needs a value for {${name}}: set \`serverVariables.${name}\``,
      );
    }
    const allowed = variable?.enum;
    if (allowed && allowed.length > 0 && !allowed.includes(value)) {
      throw invalid(
        connection,
        `Server variable ${name} is ${value}, but must be one of ${allowed.join(', ')}`,
      );
    }
    return joined(before, value, after);
  });
}

/**
 * One slash where the template and the value both have one: `https://HOST/{basePath}` with `/prod`, as Amazon's API
 * Gateway exports it.
 */
function joined(before: string, value: string, after: string): string {
  const text = after === '' ? value : trimEndOf(value, '/');
  const rest = before === '' ? text : text.replace(/^\/+/, '');
  return rest === '' && after !== '' ? '' : before + rest;
}

function parsed(text: string, connection: Place): BaseUrl {
  const base = readBase(text);
  if (typeof base === 'string') throw invalid(connection, base);
  return base;
}

/** The base URL, or what is wrong with it. */
const readBase = remember(1000, (text): BaseUrl | string => {
  // of a document without servers, or with that one alone
  if (text === '/') return `The document names no host: ${ADVICE}`;
  const meant = withScheme(text);
  if (meant !== undefined) return `The server URL ${text} lacks its scheme: ${ADVICE}, such as ${meant}`;
  const url = URL.parse(text);
  if (url === null) return `The server URL ${text} is not absolute: ${wholeOf(text)}`;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `The server URL ${text} is neither http nor https: ${ADVICE}`;
  }
  if (includesCredentials(url)) {
    return 'The server URL holds user information: use `credentials` instead';
  }
  return {
    origin: url.origin,
    path: trimEndOf(url.pathname, '/'),
    query: url.search.slice(1),
    href: url.href,
  };
});

function invalid(connection: Place, message: string): ToolcribError {
  return new ToolcribError('configuration_invalid', `Source ${connection.source}: ${message}.`);
}

function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
