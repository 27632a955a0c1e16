import type { InputRequest, Json, JsonObject } from '../gateway/src/operations/index.ts';
import { isObject } from '../gateway/src/operations/index.ts';
import {
  content,
  defineTool,
  type FunctionContext,
  type FunctionOutput,
  type FunctionPrompt,
  type FunctionTool,
} from '../gateway/src/sources/function/define.ts';
import { spoken } from './fixture-elicitation.ts';

const text = (value: string) => content({ type: 'text', text: value });

function elicit(message: string, property: string, type = 'string'): InputRequest {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { [property]: { type } }, required: [property] },
    },
  };
}

function sample(question: string): InputRequest {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens: 100 },
  };
}

const ROOTS: InputRequest = { method: 'roots/list', params: {} };

/** The answer of one kind under a key; undefined when it is missing or malformed. */
function answered({ channel }: FunctionContext, key: string): JsonObject | undefined {
  const answer = channel.inputResponses?.[key];
  return isObject(answer) ? answer : undefined;
}

function accepted(context: FunctionContext, key: string, property: string): Json | undefined {
  const answer = answered(context, key);
  const given =
    answer?.['action'] === 'accept' && isObject(answer['content']) ? answer['content'] : undefined;
  return given?.[property];
}

function tool(
  suffix: string,
  description: string,
  handler: (context: FunctionContext) => FunctionOutput,
): FunctionTool {
  return defineTool({
    name: `test_input_required_result_${suffix}`,
    description,
    access: 'read',
    handler: (_args, context) => handler(context),
  });
}

export const ROUND_TRIP_TOOLS: readonly FunctionTool[] = [
  tool('elicitation', 'Asks for a name, then greets.', (context) => {
    const name = accepted(context, 'user_name', 'name');
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return context.inputRequired({ user_name: elicit('What is your name?', 'name') });
  }),
  tool('sampling', "Asks the client's model one question.", (context) => {
    const answer = answered(context, 'capital_question');
    if (answer !== undefined) return text(spoken(answer));
    return context.inputRequired({ capital_question: sample('What is the capital of France?') });
  }),
  tool('list_roots', 'Asks for the roots of the client.', (context) => {
    const roots = answered(context, 'client_roots')?.['roots'];
    if (Array.isArray(roots)) return text(`Roots: ${JSON.stringify(roots)}`);
    return context.inputRequired({ client_roots: ROOTS });
  }),
  tool('request_state', 'Hands out a state and checks it.', (context) => {
    const confirmed = accepted(context, 'confirm', 'ok');
    if (confirmed !== undefined && context.channel.requestState === 'waiting') return text('state-ok');
    return context.inputRequired({ confirm: elicit('Please confirm', 'ok', 'boolean') }, 'waiting');
  }),
  tool('tampered_state', 'Hands out a state that must come back as it is.', (context) => {
    const confirmed = accepted(context, 'confirm', 'ok');
    if (confirmed !== undefined && context.channel.requestState === 'sealed') return text('state-ok');
    return context.inputRequired({ confirm: elicit('Please confirm', 'ok', 'boolean') }, 'sealed');
  }),
  tool('multiple_inputs', 'Asks three questions at once.', (context) => {
    const name = accepted(context, 'user_name', 'name');
    const greeting = answered(context, 'greeting');
    const roots = answered(context, 'client_roots');
    if (typeof name === 'string' && greeting !== undefined && roots !== undefined) {
      return text(`${spoken(greeting)} ${name}, roots: ${JSON.stringify(roots['roots'] ?? [])}`);
    }
    return context.inputRequired(
      {
        user_name: elicit('What is your name?', 'name'),
        greeting: sample('Write a greeting'),
        client_roots: ROOTS,
      },
      'three-questions',
    );
  }),
  tool('multi_round', 'Asks in two rounds.', (context) => {
    const { requestState } = context.channel;
    const second = accepted(context, 'step2', 'color');
    if (requestState === 'round-2' && second !== undefined) return text(`Both steps are done: ${second}`);
    const first = accepted(context, 'step1', 'name');
    if (requestState === 'round-1' && first !== undefined) {
      return context.inputRequired({ step2: elicit('Step 2: your favourite colour?', 'color') }, 'round-2');
    }
    return context.inputRequired({ step1: elicit('Step 1: your name?', 'name') }, 'round-1');
  }),
  tool('capabilities', 'Asks only what the client has declared it can answer.', (context) => {
    if (Object.keys(context.channel.inputResponses ?? {}).length > 0) return text('Answered.');
    const declared = context.channel.clientCapabilities ?? {};
    const requests: Record<string, InputRequest> = {
      ...(isObject(declared['elicitation']) ? { user_name: elicit('What is your name?', 'name') } : {}),
      ...(isObject(declared['sampling']) ? { greeting: sample('Write a greeting') } : {}),
    };
    if (Object.keys(requests).length === 0) return text('The client can be asked nothing.');
    return context.inputRequired(requests);
  }),
  defineTool({
    name: 'test_missing_capability',
    description: 'Needs a client that can sample.',
    access: 'read',
    handler: (_args, context) => {
      context.requireCapability('sampling');
      return text('The client can sample.');
    },
  }),
];

export const ROUND_TRIP_PROMPT: FunctionPrompt = {
  name: 'test_input_required_result_prompt',
  description: 'A prompt that asks for context first.',
  get: (_args, context) => {
    const given = accepted(context, 'user_context', 'context');
    if (given === undefined) {
      return context.inputRequired({
        user_context: elicit('What context should the prompt use?', 'context'),
      });
    }
    return [{ role: 'user', content: { type: 'text', text: `Context: ${JSON.stringify(given)}` } }];
  },
};
