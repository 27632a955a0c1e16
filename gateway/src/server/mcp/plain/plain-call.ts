import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type CallChannel, isObject, type JsonObject, type Result } from '../../../operations/index.ts';
import type { TaskResult } from '../../held/open-call.ts';
import { type CallMeta, callMeta } from '../call-meta.ts';

/** What a `tools/call` asks for. */
export interface AskedCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly meta?: CallMeta;
}

/** The request envelope of 2026-07-28; absent before. */
export type Envelope = Readonly<Record<string, unknown>> | undefined;

/** What comes of a call: its result, its questions, or that it is a task now. */
export type CallAnswer = Result | TaskResult;

/** How plain calls of one client are carried out; known when the SDK has let a first one through. */
export interface CallRoute {
  /** The request envelope with which the SDK let it through; absent before 2026-07-28. */
  readonly envelope: Envelope;
  /** @param side the client's side of the call, where it is not the connection's own */
  run(call: AskedCall, signal: AbortSignal, side?: (own: CallChannel) => CallChannel): Promise<CallAnswer>;
  /** The JSON of the answer; undefined when the SDK has to word it. */
  answer(result: CallAnswer, call: AskedCall): string | undefined;
}

/** A call that began before the SDK had its request. */
export interface Begun<T = CallAnswer> {
  readonly result: Promise<T>;
  /** The SDK has its request now: this ends the call, and this is the client's side of it. */
  attach?(signal: AbortSignal, channel: CallChannel): void;
}

/** Where the SDK's side of a client says how its plain calls go, and finds those that began without it. */
export interface DirectWay {
  /** The SDK has let a call through: the revision is agreed, and its envelope is good for more. */
  open(route: CallRoute): void;
  /** The call of this request, if it began already; told once. */
  begun(id: RequestId): Begun | undefined;
}

export interface PlainCall {
  readonly call: AskedCall;
  /** Two envelopes with the same text are the same to the SDK; undefined without one. */
  readonly envelope: string | undefined;
}

/**
 * Undefined for a request of which a schema would check, change or lift more than its name and arguments.
 * @param request the HTTP request that it came in
 */
export function plainCall(params: unknown, request?: Request): PlainCall | undefined {
  if (!isObject(params)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  for (const member in params) {
    if (member !== 'name' && member !== 'arguments' && member !== '_meta') return undefined;
  }
  if (typeof name !== 'string' || !isPlainMeta(meta)) return undefined;
  const named =
    meta === undefined && request === undefined ? { name } : { name, meta: callMeta(meta, request) };
  const envelope = envelopeText(meta);
  if (args === undefined) return { call: named, envelope };
  if (!isObject(args) || Object.hasOwn(args, '__proto__')) return undefined;
  return { call: { ...named, arguments: args }, envelope };
}

export function envelopeText(meta: Envelope): string | undefined {
  if (meta === undefined) return undefined;
  const members = [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY].map(
    (key) => (Object.hasOwn(meta, key) ? meta[key] : undefined),
  );
  return members.every((member) => member === undefined) ? undefined : JSON.stringify(members);
}

/** Without what a call's own progress and log hang on. */
function isPlainMeta(meta: unknown): meta is JsonObject | undefined {
  if (meta === undefined) return true;
  return isObject(meta) && !Object.hasOwn(meta, 'progressToken') && !Object.hasOwn(meta, LOG_LEVEL_META_KEY);
}
