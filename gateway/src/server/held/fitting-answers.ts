import { asToolcribError, ToolcribError } from '../../errors.ts';
import type { GatewayCore } from '../../gateway-core.ts';
import {
  escapeToken,
  type InputRequest,
  type InputRequiredResult,
  isObject,
  type Json,
  type JsonObject,
} from '../../operations/index.ts';

/** Where a state keeps the forms of the questions that it came with. */
const FORMS = 'toolcrib/forms';
/** Characters of forms that a state keeps: it travels through the caller. */
const MAX_FORMS = 16_384;

type Forms = Readonly<Record<string, JsonObject>>;

/** What of the content of a form does not fit it. */
export type FormFaults = NonNullable<GatewayCore['formFaults']>;

/** Forms of the questions that have one (MCP, elicitation in form mode), by their keys. */
export function formsOf(requests: Readonly<Record<string, InputRequest>>): Forms {
  const forms = Object.entries(requests).flatMap(([key, { method, params = {} }]) => {
    const { mode = 'form', requestedSchema } = params;
    return method === 'elicitation/create' && mode === 'form' && isObject(requestedSchema)
      ? [[key, requestedSchema] as const]
      : [];
  });
  return Object.fromEntries(forms);
}

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** Whether an answer says what a person chose (MCP, elicitation, "Response Actions"). */
export function choosesAction(answer: JsonObject): boolean {
  return ACTIONS.has(answer['action']);
}

/**
 * Throws `answer_invalid` for an answer to a form that chooses nothing, and for an accepted one whose content is not what
 * it asks for: whoever asked could only fail at it, while the caller can still correct it.
 */
export async function refuseMisfits(
  forms: Forms,
  responses: JsonObject | undefined,
  faultsOf: FormFaults | undefined,
): Promise<void> {
  for (const [key, form] of Object.entries(forms)) {
    const response = responses !== undefined && Object.hasOwn(responses, key) ? responses[key] : undefined;
    if (isObject(response) && !choosesAction(response)) {
      throw new ToolcribError(
        'answer_invalid',
        `The answer to ${key} is none: its action must be accept, decline or cancel.`,
        { pointer: `/inputResponses/${escapeToken(key)}/action` },
      );
    }
    const faults = await misfits(form, response, faultsOf);
    const [first] = faults;
    if (first === undefined) continue;
    throw new ToolcribError('answer_invalid', `The answer to ${key} does not fit its form: ${told(faults)}`, {
      pointer: `/inputResponses/${escapeToken(key)}/content${first.pointer}`,
    });
  }
}

/**
 * The same for a client of the older revisions, whose answer ends its question: nobody can correct it any more, and
 * whoever asked gets none (MCP 2025-11-25, elicitation: both sides should validate content against the schema).
 */
export async function refuseMisfit(
  request: InputRequest,
  response: Json,
  faultsOf: FormFaults | undefined,
): Promise<void> {
  const { question: form } = formsOf({ question: request });
  const faults = form === undefined ? [] : await misfits(form, response, faultsOf);
  if (faults.length === 0) return;
  throw new ToolcribError('answer_invalid', `The answer does not fit its form: ${told(faults)}`, {
    next: ANSWER_AGAIN,
  });
}

const ANSWER_AGAIN = 'Nothing of the answer was passed on. Call again, and answer what the form asks for.';

/** What the client of the older revisions answered to questions that a call ended with. */
export async function refuseEndedMisfits(...round: Parameters<typeof refuseMisfits>): Promise<void> {
  try {
    await refuseMisfits(...round);
  } catch (error) {
    const { code, message } = asToolcribError(error);
    throw new ToolcribError(code, message, { next: ANSWER_AGAIN, cause: error });
  }
}

type Faults = Awaited<ReturnType<FormFaults>>;

/** An answer that is no accepted form has no content to fit. */
async function misfits(
  form: JsonObject,
  response: Json | undefined,
  faultsOf: FormFaults | undefined,
): Promise<Faults> {
  if (!isObject(response) || response['action'] !== 'accept') return [];
  return (await faultsOf?.(form, response['content'] ?? {})) ?? [];
}

function told(faults: Faults): string {
  return faults.map(({ message }) => message).join('; ');
}

/** The question with a state that brings its forms back with the answers, where they are to be checked. */
export function withForms(question: InputRequiredResult): InputRequiredResult {
  const { state, checked } = question;
  const forms = checked === true && state !== undefined ? formsOf(question.requests) : {};
  const length = JSON.stringify(forms).length;
  if (state === undefined || Object.keys(forms).length === 0 || length > MAX_FORMS) return question;
  return { ...question, state: { [FORMS]: forms, state } };
}

/** The state as whoever asked gave it, with the forms that it came with. */
export function takenApart(given: Json | undefined): {
  readonly state: Json | undefined;
  readonly forms: Forms;
} {
  const forms = isObject(given) ? given[FORMS] : undefined;
  if (!isObject(given) || !isObject(forms)) return { state: given, forms: {} };
  return { state: given['state'], forms: forms as Forms };
}

export function isInputRequired(outcome: { readonly kind: string }): outcome is InputRequiredResult {
  return outcome.kind === 'input_required' && isObject((outcome as InputRequiredResult).requests);
}
