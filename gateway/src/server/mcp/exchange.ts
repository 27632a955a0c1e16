import {
  inputRequired,
  type InputRequiredResult as McpInputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ERRORS, isToolcribError, type ToolcribError } from '../../errors.ts';
import type {
  CallChannel,
  InputRequiredResult,
  Json,
  JsonObject,
  Principal,
} from '../../operations/index.ts';
import { type FormFaults, refuseEndedMisfits, takenApart, withForms } from '../held/fitting-answers.ts';
import type { TaskResult, TaskWay } from '../held/open-call.ts';
import type { RequestStates, StateTarget } from '../held/request-states.ts';
import { channelOf } from './call-channel.ts';
import { questionsOf } from './page-questions.ts';
import type { Begun } from './plain/plain-call.ts';
import { answering } from './protocol-errors.ts';
import type { Translation } from './translation.ts';

/** What a request brings to the core, whatever it asks for. */
export interface CoreRequest {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly channel: ReturnType<typeof channelOf>;
}

interface Exchange<A extends { readonly kind: string }, T extends object> {
  readonly arguments?: JsonObject | undefined;
  /** It is under way already. */
  readonly begun?: Begun<A | InputRequiredResult | TaskResult> | undefined;
  /** How it may become a task; absent: it cannot. */
  readonly tasks?: (channel: CallChannel) => TaskWay | undefined;
  readonly run: (request: CoreRequest) => Promise<A | InputRequiredResult>;
  readonly answer: (answer: A) => T;
  /** The answer where it became a task. */
  readonly created?: (task: TaskResult) => T;
  /** The answer where the request was right and could not be carried out; default: a JSON-RPC error. */
  readonly failed?: (error: ToolcribError) => T;
}

/** One request that may ask back: opens its state, runs it, and seals the state of what is not finished. */
export async function exchange<A extends { readonly kind: string }, T extends object>(
  { core, session, server, states, held }: Translation,
  context: ServerContext,
  name: string,
  { arguments: args, begun, run, answer, failed, tasks, created }: Exchange<A, T>,
): Promise<T | McpInputRequired> {
  const { method } = context.mcpReq;
  const target: StateTarget = { principal: session.principal, method, name, arguments: args };
  let ended = false;
  const channelWith = (requestState?: Json) =>
    channelOf(server, context, {
      requestState,
      era: session.era,
      faultsOf: core.formFaults,
      hasEnded: () => ended,
    });
  const carryOut = async (): Promise<A | InputRequiredResult | TaskResult> => {
    if (begun !== undefined) {
      begun.attach?.(context.mcpReq.signal, channelWith());
      return begun.result;
    }
    const request: CoreRequest = {
      principal: session.principal,
      signal: context.mcpReq.signal,
      channel: channelWith(states.open(context, target)),
    };
    if (session.era !== 'modern') {
      // at once where nothing was asked: a cancellation that is behind it must find it
      const isFirst = request.channel.requestState === undefined;
      return run(isFirst ? request : await endedRound(request, core.formFaults));
    }
    return held.run({ ...request, tasks: tasks?.(request.channel) }, run);
  };
  const done = session.busy?.();
  try {
    return await answering(async () => {
      try {
        const result = await carryOut();
        if (isInputRequired(result)) {
          return await question(result, session.era, target, states);
        }
        return isTask(result) ? created!(result) : answer(result);
      } catch (error) {
        if (failed !== undefined && isToolcribError(error) && !isOfProtocol(error)) return failed(error);
        throw error;
      }
    });
  } finally {
    ended = true;
    done?.();
  }
}

/** Something is wrong with the request itself: the registry gives such errors a code of JSON-RPC. */
export function isOfProtocol({ code }: ToolcribError): boolean {
  const row: { status: number; rpc?: number } = ERRORS[code];
  return row.rpc !== undefined;
}

/** A round of a client of the older revisions: the SDK has asked it, and calls again with its answers. */
async function endedRound(request: CoreRequest, faultsOf: FormFaults | undefined): Promise<CoreRequest> {
  const { requestState, ...channel } = request.channel;
  const { state, forms } = takenApart(requestState);
  await refuseEndedMisfits(forms, channel.inputResponses, faultsOf);
  return { ...request, channel: { ...channel, ...(state === undefined ? {} : { requestState: state }) } };
}

async function question(
  asked: InputRequiredResult,
  era: 'legacy' | 'modern',
  target: StateTarget,
  states: RequestStates,
): Promise<McpInputRequired> {
  const { requests, state } = era === 'modern' ? asked : withForms(asked);
  return inputRequired({
    inputRequests: questionsOf(requests, era) as never,
    ...(state === undefined ? {} : { requestState: await states.seal(state, target) }),
  });
}

function isTask(answer: { readonly kind: string }): answer is TaskResult {
  return answer.kind === 'task';
}

function isInputRequired(answer: { readonly kind: string }): answer is InputRequiredResult {
  return answer.kind === 'input_required';
}
