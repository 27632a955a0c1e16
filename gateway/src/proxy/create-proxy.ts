import {
  type Access,
  allowsReading,
  type Grants,
  type Principal,
  type SourceGrant,
} from '../operations/index.ts';
import { answerOf, faultAnswer, REFUSALS, type Refusal, refused } from './answers.ts';
import { chooseSource } from './choose-source.ts';
import { matchRequest } from './match-request.ts';
import { matchedCall, type PreparedProxyCall, rawCall, refusedCall } from './proxy-operation.ts';
import {
  PROXY_TOOL,
  type ProxyAnswer,
  type ProxyCall,
  type ProxyRequest,
  type ProxySource,
} from './proxy-types.ts';
import { isRefusal, namesActingUser, readProxyRequest, smugglesMethod } from './read-request.ts';
import { readPath } from './request-path.ts';

export interface ProxyParts {
  /** Sources with a provider, as of now. */
  readonly sources: () => readonly ProxySource[];
  /** Fresh grants: asked once for each request. */
  readonly grants: (principal: Principal) => Grants | Promise<Grants>;
  /** The policy's blocklist check. */
  readonly checkPath: (request: {
    readonly base: string;
    readonly path: string;
    readonly blocklist: readonly string[];
  }) => { readonly allow: boolean };
  readonly invoke: ProxyCall;
}

/** Only sources of this category are reached; absent: any. */
export interface ProxyScope {
  readonly category?: string;
}

/** `body` is the parsed JSON of the request; `undefined` when it was none. Never throws. */
export type ForwardProxyRequest = (
  body: unknown,
  principal: Principal,
  signal: AbortSignal,
  scope?: ProxyScope,
) => Promise<ProxyAnswer>;

/**
 * A provider's request, given as method and path, becomes a call on the operation that it means. Checks in this
 * order, each answer telling no more than the one before: fields, organisation, provider, level, blocklist,
 * operation, its access. From the level on every request is a call: the router records it, refused or not.
 */
export function createProxy(parts: ProxyParts): ForwardProxyRequest {
  return async (body, principal, signal, { category } = {}) => {
    const request = readProxyRequest(body);
    if (isRefusal(request)) return refused(request);
    try {
      if (principal.kind === 'user' && principal.organisation === undefined) {
        return refused(REFUSALS.noOrganisation);
      }
      const grants = await parts.grants(principal);
      const sources = parts.sources().filter((source) => (category ?? source.category) === source.category);
      const chosen = chooseSource(request.provider, sources, grants, principal);
      if (isRefusal(chosen)) return refused(chosen);
      const { source, grant } = chosen;
      const decided = decide(request, source, grant, principal, parts.checkPath);
      return await carryOut(decided, { request, source, principal, signal, invoke: parts.invoke });
    } catch (error) {
      return faultAnswer(error);
    }
  };
}

interface Decided {
  readonly call: PreparedProxyCall;
  /** Answered whatever the router says. */
  readonly refusal?: Refusal;
}

/** Pure: what to call, or which refusal to record and answer. */
function decide(
  request: ProxyRequest,
  source: ProxySource,
  grant: SourceGrant,
  principal: Principal,
  checkPath: ProxyParts['checkPath'],
): Decided {
  const refuse = (refusal: Refusal, meant?: string): Decided => ({
    refusal,
    call: refusedCall(source.name, request, meant),
  });
  if (!allowsReading(grant.level)) return refuse(REFUSALS.accessDisabled(source.category));
  const base = baseOf(source, grant);
  const { blocklist } = source.provider;
  const path = readPath(request.path, base);
  if (path === undefined || !checkPath({ base, path: request.path, blocklist }).allow) {
    return refuse(REFUSALS.endpoint);
  }
  const full: ProxyRequest = {
    ...request,
    query: { ...Object.fromEntries(path.query), ...request.query },
  };
  if (smugglesMethod(full)) return refuse(REFUSALS.endpoint);
  if (namesActingUser(full, source.provider)) return refuse(REFUSALS.actingUser);
  const match = matchRequest(full, path, source);
  if (match.kind === 'none' && !(source.rawProxy && match.open)) {
    return refuse(REFUSALS.endpoint, match.closed);
  }
  const access = match.kind === 'operation' ? match.access : accessOfMethod(request.method);
  const meant = match.kind === 'operation' ? match.operation.id : undefined;
  if (access === 'dangerous') return refuse(REFUSALS.endpoint, meant);
  if (access !== 'read' && (grant.level === 'read-only' || principal.maxAccess === 'read')) {
    return refuse(REFUSALS.readOnly(source.category), meant);
  }
  if (match.kind === 'operation') {
    return { call: matchedCall(match.operation, access, match.values, request, path) };
  }
  const http = source.operations.find(({ invocation }) => invocation.kind === 'http')?.invocation;
  const security = http?.kind === 'http' ? http.security : [];
  const servers = http?.kind === 'http' ? http.servers : [];
  return { call: rawCall(source.name, access, { security, servers }, request, path) };
}

interface Carriage {
  readonly request: ProxyRequest;
  readonly source: ProxySource;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly invoke: ProxyCall;
}

async function carryOut({ call, refusal }: Decided, carriage: Carriage): Promise<ProxyAnswer> {
  const { request, source, principal, signal, invoke } = carriage;
  const started = performance.now();
  const called = invoke({ ...call, tool: PROXY_TOOL, source: source.name, principal, signal });
  if (refusal !== undefined) {
    await called.catch(() => undefined);
    return refused(refusal);
  }
  const result = await called;
  const durationMs = Math.round(performance.now() - started);
  if (result.kind === 'input_required') {
    return faultAnswer(new Error('an HTTP operation asked its client'));
  }
  const { error } = result;
  if (
    error?.code === 'tool_forbidden' ||
    error?.code === 'tool_quarantined' ||
    error?.code === 'path_blocked'
  ) {
    return refused(REFUSALS.endpoint);
  }
  if (error?.code === 'connection_missing') return refused(REFUSALS.notConnected(source.category));
  return answerOf(result, request, source.provider.provider, durationMs);
}

/** Where the account's requests begin: the record's, the configuration's, the region's, the provider's. */
function baseOf({ provider, baseUrl, region }: ProxySource, { account }: SourceGrant): string {
  const place = account?.region ?? region;
  const regional = place === undefined ? undefined : provider.regions[place]?.baseUrl;
  return account?.baseUrl ?? baseUrl ?? regional ?? provider.baseUrl;
}

/** RFC 9110 §9.2.1 for requests that no operation describes. */
function accessOfMethod(method: string): Access {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'DELETE' ? 'delete' : 'write';
}
