import type { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import type { Access, JsonObject, Principal } from '../../operations/index.ts';
import { memberPointer } from '../../operations/text/document-path.ts';
import { itTakes } from '../../operations/text/nearest-name.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';
import type { Asking } from '../held/asking.ts';
import type { OpenStreams } from '../open-streams.ts';
import type { GatewayAdmin } from './admin/gateway-admin.ts';
import type { Sessions } from './sessions/create-sessions.ts';
import type { Session } from './sessions/session.ts';

/** What every handler gets beside its validated input. */
export interface RouteContext {
  readonly gateway: GatewayAdmin;
  readonly principal: Principal;
  /** Where a browser asks that is signed in. */
  readonly session?: Session | undefined;
  readonly sessions: Sessions;
  readonly request: Request;
  readonly signal: AbortSignal;
  /** Calls of our own API that led here. */
  readonly depth: number;
  /** Bytes that a body may have. */
  readonly maxBodyBytes: number;
  /** Event streams that are open. */
  readonly streams: OpenStreams;
  /** Calls that wait for answers of their callers. */
  readonly asking: Asking;
  /** Ends when the server begins to close; for streams. */
  readonly closing: AbortSignal;
  /** The OpenAPI description of all routes. */
  readonly describe: () => JsonObject;
}

interface RouteInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** One operation of the HTTP API: what handles it and what describes it, in one place. */
export interface RouteDefinition<P, Q, B> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI path template. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Published as `x-toolcrib-access`: what the operation is when it becomes a tool. */
  readonly access: Access;
  readonly tag: string;
  /**
   * `operator`: what concerns the whole gateway is no business of a team's users. `owner`: what lets its caller run
   * programs or change definitions takes a session of the machine's owner. `everybody`: no credential is needed.
   * Default: whoever shows one.
   */
  readonly audience?: 'operator' | 'owner' | 'everybody';
  /** The handler reads the body itself; `body` only describes it. */
  readonly readsBody?: true;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** The same as a multipart form, for handlers that read the body themselves; only described. */
  readonly form?: z.ZodType;
  /** The answer when all went well. */
  readonly response: {
    /** Default 200. With 204 there is no body. */
    readonly status?: 200 | 201 | 204;
    readonly description: string;
    readonly schema?: z.ZodType;
    readonly mediaType?: string;
  };
  /** Another answer when all went well so far; only described, its handler returns it whole. */
  readonly otherResponse?: { readonly status: 202; readonly description: string; readonly schema: z.ZodType };
  /** The answer when the request failed, where its contract is another than the API's own. */
  readonly failure?: z.ZodType;
  /** Returns a JSON value, or a whole response. Throws ToolcribError. */
  readonly handle: (input: RouteInput<P, Q, B>, context: RouteContext) => unknown;
}

export type Route = RouteDefinition<unknown, unknown, unknown>;

export function route<P = undefined, Q = undefined, B = undefined>(
  definition: RouteDefinition<P, Q, B>,
): Route {
  return definition as unknown as Route;
}

/** Input of one place, checked. Throws `request_invalid` naming the place and the member. */
export function checked(
  schema: z.ZodType | undefined,
  value: unknown,
  place: 'path' | 'query' | 'body',
): unknown {
  if (schema === undefined) return undefined;
  const outcome = schema.safeParse(value);
  if (outcome.success) {
    const lost = lostPrototype(value, outcome.data);
    if (lost === undefined) return outcome.data;
    throw new ToolcribError(
      'request_invalid',
      `The ${place} of the request is not valid: a member cannot be called "__proto__" here.`,
      { pointer: memberPointer(lost) },
    );
  }
  const { message, path } = problemsOf(outcome.error.issues, value)[0]!;
  const pointer = memberPointer(path);
  const known = /^Unknown key "[^"]*"\.$/.test(message) && path.length === 1 ? whatItTakes(schema) : '';
  throw new ToolcribError('request_invalid', `The ${place} of the request is not valid: ${message}${known}`, {
    pointer,
  });
}

/**
 * Where a member called `__proto__` was given that a schema's objects leave out without a word; undefined: nowhere. What
 * a schema takes as it comes is the same value afterwards, and nothing is lost there.
 */
function lostPrototype(given: unknown, taken: unknown): string[] | undefined {
  if (given === taken || typeof given !== 'object' || given === null) return undefined;
  if (Object.hasOwn(given, '__proto__')) return ['__proto__'];
  for (const [name, member] of Object.entries(given)) {
    const lost = lostPrototype(member, Object(taken)[name]);
    if (lost !== undefined) return [name, ...lost];
  }
  return undefined;
}

/** The members of an object, for whoever named one that it has not. */
function whatItTakes(schema: z.ZodType): string {
  const { shape } = schema as { shape?: object };
  return itTakes(Object.keys(shape ?? {}));
}
