import { z } from 'zod';
import type {
  CallChannel,
  CompletedResult,
  InputRequiredResult,
  JsonObject,
  Principal,
  Result,
} from '../../../../operations/index.ts';
import type { Asking } from '../../../held/asking.ts';
import { missingCapability } from '../../../held/declared-capabilities.ts';
import { heldId } from '../../../held/held-calls.ts';

const QUESTION = z.looseObject({
  method: z.enum(['elicitation/create', 'sampling/createMessage', 'roots/list']),
  params: z.looseObject({}).optional(),
});

/** What a caller may say of itself and of questions, in the body of its call. */
export const ASKED = {
  clientCapabilities: z
    .looseObject({
      elicitation: z
        .looseObject({ form: z.looseObject({}).optional(), url: z.looseObject({}).optional() })
        .optional(),
      sampling: z.looseObject({}).optional(),
      roots: z.looseObject({}).optional(),
    })
    .optional()
    .describe('What the tool may ask its caller for, as an MCP client declares it. Default: nothing.'),
  inputResponses: z
    .record(z.string().max(256), z.looseObject({}))
    .optional()
    .describe('Results of the `inputRequests` of an earlier answer, by their keys, as MCP has them.'),
  requestState: z.string().optional().describe('The `requestState` of that answer.'),
};

/** The answer of a call that asks its caller (MCP 2026-07-28, InputRequiredResult). */
export const ASKS = z.object({
  inputRequests: z.record(z.string(), QUESTION).describe('What is asked, by keys of the tool.'),
  requestState: z.string().optional().describe('Names the call; it waits for ten minutes.'),
});

export interface AskedBody {
  readonly clientCapabilities?: object | undefined;
  readonly inputResponses?: object | undefined;
  readonly requestState?: string | undefined;
}

interface Asked {
  readonly asking: Asking;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Carries out the call for one who can be asked by its channel. */
export type CarryOut = (
  own: Pick<Asked, 'principal' | 'signal'> & { readonly channel: CallChannel },
) => Promise<Result>;

/**
 * Carries out one call that may ask its caller, and goes on with one that asked: an answer with its questions, else
 * how the call ended. Throws `request_state_invalid`, `input_expired`, `overloaded`.
 */
export async function askCaller(
  { asking: { held, states }, principal, signal, tool, arguments: args }: Asked,
  { clientCapabilities, inputResponses, requestState }: AskedBody,
  carryOut: CarryOut,
): Promise<CompletedResult | Response> {
  const target = { principal, method: 'callTool', name: tool, arguments: args };
  const channel: CallChannel = {
    // questions are the tool's: what a person must agree to is told, and decided elsewhere
    decidesApprovals: true,
    ...(clientCapabilities === undefined ? {} : { clientCapabilities: clientCapabilities as JsonObject }),
    ...(inputResponses === undefined ? {} : { inputResponses: inputResponses as JsonObject }),
    ...(requestState === undefined ? {} : { requestState: await states.unseal(requestState, target) }),
  };
  const result = await held.run<Result>({ principal, signal, channel }, carryOut);
  if (result.kind === 'task')
    throw new Error('A call of the HTTP API became a task, which it was given no way to.');
  if (result.kind !== 'input_required') return result;
  const { requests, state } = result;
  // what waits was looked at when it asked
  const refused = heldId(state) === undefined ? notDeclared(tool, requests, channel) : undefined;
  if (refused !== undefined) return refused;
  const asks = {
    inputRequests: requests,
    ...(state === undefined ? {} : { requestState: await states.seal(state, target) }),
  };
  return Response.json(asks, { status: 202 });
}

/** A server that asks nothing and gives a state wants the call made again with it (MCP 2026-07-28, basic/patterns/mrtr). */
function putOff(tool: string): CompletedResult {
  const error = {
    code: 'upstream_failed',
    message: `Tool ${tool} was not carried out: its server asked for nothing, and wants to be called again with a state that only a caller with \`clientCapabilities\` is given.`,
    next: 'Call again later, or declare `clientCapabilities` (`{}` is enough) and send the `requestState` of the answer.',
  } as const;
  return { kind: 'completed', content: [], error };
}

/** Who declared nothing takes no answer for a question. Undefined: the caller can answer all of it. */
function notDeclared(
  tool: string,
  requests: InputRequiredResult['requests'],
  { clientCapabilities }: CallChannel,
): CompletedResult | undefined {
  const missing = Object.values(requests)
    .map(({ method, params }) => missingCapability(method, params, clientCapabilities))
    .find((capability) => capability !== undefined);
  if (missing === undefined && clientCapabilities !== undefined) return undefined;
  if (Object.keys(requests).length === 0) return putOff(tool);
  const error = {
    code: 'capability_missing',
    message: `Tool ${tool} asks its caller for something.`,
    next: 'Declare `clientCapabilities` and answer what is asked, call it over MCP, or with `toolcrib call` at a terminal.',
    ...(missing === undefined ? {} : { details: { requiredCapabilities: missing } }),
  } as const;
  return { kind: 'completed', content: [], error };
}
