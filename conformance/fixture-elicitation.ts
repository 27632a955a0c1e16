import { isObject, type JsonObject } from '../gateway/src/operations/index.ts';
import { content, defineTool, type FunctionTool } from '../gateway/src/sources/function/define.ts';

const text = (value: string) => content({ type: 'text', text: value });

/** Asks once by `elicitation/create` and answers with what came back. */
function asking(
  name: string,
  description: string,
  message: string,
  properties: JsonObject,
  required: string[] = [],
): FunctionTool {
  return defineTool({
    name,
    description,
    input: { type: 'object', properties: { message: { type: 'string' } } },
    access: 'read',
    handler: (args, { channel, inputRequired }) => {
      const answer = channel.inputResponses?.['answer'];
      if (isObject(answer)) {
        return text(
          `User response: action=${answer['action']}, content=${JSON.stringify(answer['content'] ?? {})}`,
        );
      }
      return inputRequired({
        answer: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: typeof args['message'] === 'string' ? args['message'] : message,
            requestedSchema: { type: 'object', properties, required },
          },
        },
      });
    },
  });
}

export const ELICITATION_TOOLS: readonly FunctionTool[] = [
  asking(
    'test_elicitation',
    'Asks the user for a name and an address.',
    'Please give your details.',
    {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    },
    ['username', 'email'],
  ),
  asking('test_streaming_elicitation', 'Asks the user while the request is open.', 'Please confirm.', {
    confirmed: { type: 'boolean' },
  }),
  asking(
    'test_elicitation_sep1034_defaults',
    'Asks with a default for every type.',
    'Please check the defaults.',
    {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  ),
  asking('test_elicitation_sep1330_enums', 'Asks with every kind of choice.', 'Please choose.', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled() },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled() } },
  }),
  defineTool({
    name: 'test_sampling',
    description: "Asks the client's model.",
    input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    access: 'read',
    handler: (args, { channel, inputRequired }) => {
      const answer = channel.inputResponses?.['completion'];
      if (isObject(answer)) return text(`LLM response: ${spoken(answer)}`);
      return inputRequired({
        completion: {
          method: 'sampling/createMessage',
          params: {
            messages: [{ role: 'user', content: { type: 'text', text: String(args['prompt']) } }],
            maxTokens: 100,
          },
        },
      });
    },
  }),
];

function titled(): JsonObject[] {
  return ['First Option', 'Second Option', 'Third Option'].map((title, index) => ({
    const: `value${index + 1}`,
    title,
  }));
}

/** The text of a sampling result. */
export function spoken(answer: JsonObject): string {
  const block = Array.isArray(answer['content']) ? answer['content'][0] : answer['content'];
  return isObject(block) && typeof block['text'] === 'string' ? block['text'] : '';
}
