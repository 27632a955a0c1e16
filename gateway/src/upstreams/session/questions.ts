import { type ErrorCode, isToolcribError } from '../../errors.ts';
import { type InputRequest, isObject, type JsonObject, samplesWithTools } from '../../operations/index.ts';
import { isShallow, MAX_LEVELS } from '../../operations/json/is-shallow.ts';
import { refusedPage } from '../page-address.ts';
import type { OpenCall } from './calls-in-flight.ts';

/** What some caller could be able to do: declared to servers of the handshake era, which ask on the connection. */
export const WIDEST_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
} as const;

/** Why a question got no answer, for the caller to hear. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['overloaded', 'answer_invalid']);

/** A JSON-RPC error that answers a question. */
export class QuestionRefused extends Error {
  readonly code: number;

  constructor(message: string, code = -32601) {
    super(message);
    this.name = 'QuestionRefused';
    this.code = code;
  }
}

/**
 * Answers a question that a server asks on the connection, by the client of the call that it belongs to. Without one
 * who can answer, an elicitation is cancelled, there are no roots, and sampling is refused with QuestionRefused; so is an
 * answer that does not fit its form.
 */
export async function answerQuestion(
  request: { readonly method: string; readonly params?: unknown },
  owner: OpenCall | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const question = questionOf(request);
  const refused = refusedPage(question);
  if (refused !== undefined) throw new QuestionRefused(refused, -32602);
  const ask = owner?.channel.ask;
  if (owner === undefined || ask === undefined || !canAnswer(question, owner)) return unanswered(question);
  const both = AbortSignal.any([signal, owner.signal]);
  try {
    const answer = await ask.call(owner.channel, question, both);
    return isObject(answer) ? answer : unanswered(question);
  } catch (error) {
    if (isToolcribError(error) && TOLD.has(error.code)) owner.unasked?.(error);
    if (isToolcribError(error) && error.code === 'answer_invalid')
      throw new QuestionRefused('The client answered what does not fit the form.', -32603);
    if (question.method === 'sampling/createMessage')
      throw new QuestionRefused(
        error instanceof Error ? error.message : 'The client did not answer.',
        -32603,
      );
    return unanswered(question);
  }
}

function questionOf({ method, params }: { method: string; params?: unknown }): InputRequest {
  if (method !== 'elicitation/create' && method !== 'sampling/createMessage' && method !== 'roots/list')
    throw new QuestionRefused(`The method ${method.slice(0, 80)} is not offered.`);
  if (!isObject(params)) return { method };
  if (!isShallow(params))
    throw new QuestionRefused(`It is nested more than ${MAX_LEVELS} levels deep.`, -32602);
  return { method, params };
}

/** A client that declared nothing may still be asked through `ask`, which knows better. */
function canAnswer({ method, params }: InputRequest, { channel }: OpenCall): boolean {
  const declared = channel.clientCapabilities;
  if (declared === undefined) return true;
  if (method === 'roots/list') return declared['roots'] !== undefined;
  if (method === 'sampling/createMessage') {
    const { sampling } = declared;
    return isObject(sampling) && (!samplesWithTools(params) || sampling['tools'] !== undefined);
  }
  const elicitation = declared['elicitation'];
  if (!isObject(elicitation)) return false;
  if (params?.['mode'] === 'url') return elicitation['url'] !== undefined;
  // an empty declaration means forms
  return elicitation['form'] !== undefined || elicitation['url'] === undefined;
}

function unanswered({ method }: InputRequest): JsonObject {
  if (method === 'roots/list') return { roots: [] };
  if (method === 'elicitation/create') return { action: 'cancel' };
  throw new QuestionRefused('Nobody who can sample is connected to this call.');
}
