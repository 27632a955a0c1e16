import { createHash, randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import {
  canonicalHash,
  type Json,
  type JsonObject,
  type Principal,
  personKey,
} from '../../operations/index.ts';
import { heldId } from './held-calls.ts';

const VALID_SECONDS = 600;
const FROM_A_PROCESS = /^[0-9a-f]{12}\./;
/** Before states that every process of the store can open. */
const SHARED = 'shared.';
/** A state that another process, or an earlier one, sealed. */
const ELSEWHERE = Object.freeze({ elsewhere: true });

interface Sealed {
  /** What the state belongs to: principal, method, name and arguments. */
  readonly of: string;
  readonly state: Json;
}

type Verified = Sealed | typeof ELSEWHERE;

/** Signs what an unfinished call hands to its client, and takes it back only from the same principal for the same target. */
export interface RequestStates {
  seal(state: Json, target: StateTarget): Promise<string>;
  /** For the SDK: rejects what was not signed here or has expired. */
  verify(sealed: string, context: ServerContext): Promise<unknown>;
  /** The verified state of this request. Throws `request_state_invalid` when it is another target's. */
  open(context: ServerContext, target: StateTarget): Json | undefined;
  /** The state that came in no request of the SDK. Throws `request_state_invalid`, `input_expired`. */
  unseal(sealed: string, target: StateTarget): Promise<Json>;
}

export interface StateTarget {
  readonly principal: Principal;
  /** Of MCP, or of the HTTP API: a state is good for the one that it came from. */
  readonly method: string;
  /** Tool or prompt name, or resource address. */
  readonly name: string;
  /** What goes on is what was asked for: other arguments are another request (MCP 2026-07-28, basic/patterns/mrtr). */
  readonly arguments?: JsonObject | undefined;
}

/**
 * What waits in this process is sealed with a key that lives as long: another process cannot go on with it, and says
 * so. Which process sealed a state stands before it, unsigned: forging it gains another error. With a key that
 * processes share (32 bytes), whatever waits in none of them, such as a question for approval, goes on in any.
 */
export function createRequestStates(sharedKey?: () => Promise<Uint8Array>): RequestStates {
  let shared: Promise<RequestStateCodec<Sealed>> | undefined;
  const sharedCodec = (read: () => Promise<Uint8Array>) => {
    shared ??= read().then((key) => createRequestStateCodec<Sealed>({ key, ttlSeconds: VALID_SECONDS }));
    shared.catch(() => {
      shared = undefined;
    });
    return shared;
  };
  const process = `${randomBytes(6).toString('hex')}.`;
  const codec = createRequestStateCodec<Sealed>({ key: randomBytes(32), ttlSeconds: VALID_SECONDS });
  /** A codec that is bound to nothing of a request does not look at it. */
  const verify = async (sealed: string, context = undefined as unknown as ServerContext) => {
    if (sharedKey !== undefined && sealed.startsWith(SHARED))
      return (await sharedCodec(sharedKey)).verify(sealed.slice(SHARED.length), context);
    if (sealed.startsWith(process)) return codec.verify(sealed.slice(process.length), context);
    if (FROM_A_PROCESS.test(sealed)) return ELSEWHERE;
    throw new Error('The state was not sealed by this program.');
  };
  return {
    verify,
    async seal(state, target) {
      const content = { of: targetDigest(target), state };
      if (sharedKey === undefined || heldId(state) !== undefined)
        return `${process}${await codec.mint(content)}`;
      return `${SHARED}${await (await sharedCodec(sharedKey)).mint(content)}`;
    },
    open(context, target) {
      const verified = context.mcpReq.requestState<Verified>();
      return verified === undefined ? undefined : stateOf(verified, target);
    },
    async unseal(sealed, target) {
      const verified = await verify(sealed).catch((cause: unknown) => {
        if (isToolcribError(cause)) throw cause;
        const message = 'The request state was changed, has expired, or is none of this gateway.';
        throw new ToolcribError('request_state_invalid', message, { cause });
      });
      return stateOf(verified, target);
    },
  };
}

function stateOf(verified: Verified, target: StateTarget): Json {
  if ('elsewhere' in verified) {
    throw new ToolcribError('input_expired', 'Another process asked this, and it cannot go on here.');
  }
  if (verified.of === targetDigest(target)) return verified.state;
  throw new ToolcribError('request_state_invalid', 'The request state belongs to another request.');
}

function targetDigest({ principal, method, name, arguments: args = {} }: StateTarget): string {
  const text = JSON.stringify([
    personKey(principal),
    principal.key ?? null,
    method,
    name,
    canonicalHash(args),
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
