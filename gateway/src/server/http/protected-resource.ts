import { bearerOf } from './guards.ts';
import { hostOf } from './host-of.ts';

/** Where callers of this gateway sign in (RFC 9728). */
export interface ProtectedResource {
  /** The gateway's, for people. */
  readonly name: string;
  /** Exactly as its tokens spell it. */
  readonly issuer: string;
  /** What clients ask for. */
  readonly scopes?: readonly string[];
  /** Where clients reach the gateway; absent: as the request is addressed. */
  readonly publicUrl?: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const MCP = '/mcp';
/** Characters of a header that say why. */
const MOST_WORDS = 500;

/** RFC 9728 §3.1: of the resource at /mcp, whose path comes behind; clients of MCP look without it, too. */
export function isResourceMetadata(pathname: string): boolean {
  return [WELL_KNOWN, `${WELL_KNOWN}${MCP}`].includes(pathname.replace(/\/$/, ''));
}

/** The metadata, for whoever asks from whatever page; undefined for a method that they do not take. */
export function serveResourceMetadata(resource: ProtectedResource, request: Request): Response | undefined {
  const { method } = request;
  const headers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  if (method === 'OPTIONS') {
    const allowed = {
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-methods': 'GET, HEAD',
      // clients of MCP name their revision
      'access-control-allow-headers': '*',
      'access-control-max-age': '600',
    };
    return new Response(null, { status: 204, headers: { ...headers, ...allowed } });
  }
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const answer = Response.json(metadataOf(resource, request), { headers });
  return method === 'HEAD' ? new Response(null, answer) : answer;
}

/** RFC 9728 §2. */
function metadataOf(resource: ProtectedResource, request: Request) {
  const { name, issuer, scopes } = resource;
  return {
    resource: `${originOf(resource.publicUrl, request)}${MCP}`,
    authorization_servers: [issuer],
    ...(scopes === undefined ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: name,
  };
}

/** What a 401 of the gateway asks for (RFC 6750 §3): of its resource /mcp it says where the metadata are. */
export function challengeOf(
  message: string,
  request: Request,
  resource: ProtectedResource | undefined,
): string {
  const { pathname } = new URL(request.url);
  const parameters: [string, string][] = [['realm', 'toolcrib']];
  if (resource !== undefined) {
    if (isMcp(pathname)) {
      parameters.push(['resource_metadata', `${originOf(resource.publicUrl, request)}${WELL_KNOWN}${MCP}`]);
    }
    if (resource.scopes !== undefined) parameters.push(['scope', resource.scopes.join(' ')]);
  }
  // RFC 6750 §3.1: who showed nothing is told nothing more
  if (bearerOf(request) !== undefined) {
    parameters.push(['error', 'invalid_token'], ['error_description', message.slice(0, MOST_WORDS)]);
  }
  return `Bearer ${parameters.map(([name, value]) => `${name}="${quotable(value)}"`).join(', ')}`;
}

/** One slash at the end is no other address: several clients write it so. */
export function isMcp(pathname: string): boolean {
  return pathname === MCP || pathname === `${MCP}/`;
}

/**
 * Where browsers and clients reach this gateway. The guards have let the host pass; of the rest of the request nothing
 * says where it was sent.
 */
export function originOf(publicUrl: string | undefined, request: Request): string {
  return publicUrl ?? new URL(`${new URL(request.url).protocol}//${hostOf(request)}`).origin;
}

/** What stands between quotes as it is (RFC 6750 §3). */
function quotable(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]+/g, '?');
}
