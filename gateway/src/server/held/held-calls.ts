import { ToolcribError } from '../../errors.ts';
import { type InputRequiredResult, isObject, type Json, type Principal } from '../../operations/index.ts';
import { canAnswer } from './declared-capabilities.ts';
import { type FormFaults, isInputRequired, refuseMisfits, takenApart, withForms } from './fitting-answers.ts';
import { expired, type HeldRequest, OpenCall, type Outcome, type TaskResult } from './open-call.ts';
import { isSameCaller, isSameUser } from './same-caller.ts';

/** Where the state of an InputRequiredResult names the call that waits for its answers. */
const HELD = 'toolcrib/held';

export interface HeldLimits {
  /** Calls that wait for answers at one time, of all clients and of one. */
  readonly maxCalls: number;
  readonly maxCallsEach: number;
  /** How long a question stays open, milliseconds. */
  readonly waitMs: number;
}

export const DEFAULT_HELD_LIMITS: HeldLimits = { maxCalls: 1000, maxCallsEach: 50, waitMs: 600_000 };

export type { HeldRequest, TaskResult };

/**
 * Since 2026-07-28 a server cannot ask its client in the middle of a call. A call that asks is therefore held: its
 * question goes out as the answer of the request, and the client's retry goes on with the same call. What began
 * once is never begun again; who comes too late, or to another process, gets `input_expired`. A call that asks by its
 * answer has ended with it: each of its rounds is a call of its own, with a start and an end in the events. Where its
 * client follows tasks, a call that takes long or says so goes on as one.
 */
export interface HeldCalls {
  run<T extends Outcome>(
    request: HeldRequest,
    begin: (request: HeldRequest) => Promise<T>,
  ): Promise<T | InputRequiredResult | TaskResult>;
  /** Calls that wait for answers. */
  readonly size: number;
  /** Ends every call that waits. */
  close(): void;
}

/** @param faultsOf absent: answers are checked by whoever asked */
export function createHeldCalls(limits: HeldLimits = DEFAULT_HELD_LIMITS, faultsOf?: FormFaults): HeldCalls {
  const waiting = new Map<string, OpenCall>();
  const admit = (caller: Principal): void => {
    const own = [...waiting.values()].filter(({ principal }) => isSameUser(principal, caller)).length;
    if (waiting.size < limits.maxCalls && own < limits.maxCallsEach) return;
    throw new ToolcribError('overloaded', 'Too many calls wait for answers of their clients.');
  };
  const goOn = async (call: OpenCall, request: HeldRequest) => {
    const step = await call.next(request);
    if (step.kind === 'ended') return step.outcome;
    if (step.kind === 'task') return step;
    waiting.set(call.id, call);
    call.expireAfter(limits.waitMs, () => waiting.delete(call.id));
    return { kind: 'input_required' as const, requests: step.requests, state: { [HELD]: call.id } };
  };
  return {
    async run<T extends Outcome>(request: HeldRequest, begin: (request: HeldRequest) => Promise<T>) {
      type Answer = T | InputRequiredResult | TaskResult;
      const id = heldId(request.channel.requestState);
      if (id !== undefined) {
        const call = waiting.get(id);
        if (call === undefined || !isSameCaller(call.principal, request.principal)) throw expired();
        await call.refuseMisfits(request.channel.inputResponses);
        // another request may have gone on with it meanwhile
        if (!waiting.delete(id)) throw expired();
        return asking(await goOn(call, request)) as Answer;
      }
      const { requestState, inputResponses } = request.channel;
      const isFirst = requestState === undefined && inputResponses === undefined;
      const round = isFirst ? request : await roundOf(request, faultsOf);
      if (!canAnswer(round.channel) && round.tasks === undefined) return asking(await begin(round)) as Answer;
      const { waitMs } = limits;
      const call = new OpenCall(round, begin, { admit: () => admit(round.principal), waitMs, faultsOf });
      return asking(await goOn(call, round)) as Answer;
    },
    get size() {
      return waiting.size;
    },
    close() {
      for (const call of waiting.values()) call.end(expired());
      waiting.clear();
    },
  };
}

/** A request that answers what a call asked by its answer. Throws `answer_invalid`. */
async function roundOf(request: HeldRequest, faultsOf: FormFaults | undefined): Promise<HeldRequest> {
  const { requestState, ...channel } = request.channel;
  const { state, forms } = takenApart(requestState);
  await refuseMisfits(forms, channel.inputResponses, faultsOf);
  return { ...request, channel: { ...channel, ...(state === undefined ? {} : { requestState: state }) } };
}

function asking(outcome: Outcome): Outcome {
  return isInputRequired(outcome) ? withForms(outcome) : outcome;
}

/** The call of this process that a state belongs to; undefined where nothing is held. */
export function heldId(state: Json | undefined): string | undefined {
  const id = isObject(state) ? state[HELD] : undefined;
  return typeof id === 'string' ? id : undefined;
}
