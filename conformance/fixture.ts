import {
  content,
  defineFunctions,
  defineTool,
  type FunctionPrompt,
  type FunctionResource,
  type FunctionResourceTemplate,
  type FunctionTool,
} from '../gateway/src/sources/function/define.ts';
import { ELICITATION_TOOLS } from './fixture-elicitation.ts';
import { ROUND_TRIP_PROMPT, ROUND_TRIP_TOOLS } from './fixture-round-trips.ts';
import { TASK_TOOLS } from './fixture-tasks.ts';

/** One red pixel, and a tenth of a second of silence. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const text = (value: string) => ({ type: 'text', text: value }) as const;

/** Resolves after a while, or rejects when the call ends. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

const CONTENT_TOOLS: readonly FunctionTool[] = [
  defineTool({
    name: 'test_simple_text',
    description: 'Answers with one text.',
    access: 'read',
    handler: () => content(text('This is a simple text response for testing.')),
  }),
  defineTool({
    name: 'test_image_content',
    description: 'Answers with an image.',
    access: 'read',
    handler: () => content(image),
  }),
  defineTool({
    name: 'test_audio_content',
    description: 'Answers with audio.',
    access: 'read',
    handler: () => content({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  }),
  defineTool({
    name: 'test_embedded_resource',
    description: 'Answers with an embedded resource.',
    access: 'read',
    handler: () =>
      content({
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
  }),
  defineTool({
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and a resource.',
    access: 'read',
    handler: () =>
      content(text('Multiple content types test:'), image, {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      }),
  }),
  defineTool({
    name: 'test_error_handling',
    description: 'Always fails.',
    access: 'read',
    handler: () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  }),
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Has an input schema with many keywords of JSON Schema 2020-12.',
    access: 'read',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    handler: (args) => args,
  }),
];

const CALL_TOOLS: readonly FunctionTool[] = [
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports progress three times.',
    access: 'read',
    handler: async (_args, { channel, signal }) => {
      for (const progress of [0, 50, 100]) {
        await channel.progress?.(progress, 100, `Completed step ${progress} of 100`);
        await pause(50, signal);
      }
      return content(text('Done.'));
    },
  }),
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Logs three messages.',
    access: 'read',
    handler: async (_args, { channel, signal }) => {
      for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await channel.log?.('info', message);
        await pause(50, signal);
      }
      return content(text('Done.'));
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Logs; the messages go out only when the request asks for them.',
    access: 'read',
    handler: async (_args, { channel }) => {
      await channel.log?.('info', 'Logging tool called');
      return content(text('Logged.'));
    },
  }),
  defineTool({
    name: 'test_reconnection',
    description: 'Ends its stream in the middle of the call; the result comes after a reconnect.',
    access: 'read',
    handler: async (_args, { channel, signal }) => {
      await pause(50, signal);
      channel.closeStream?.();
      await pause(100, signal);
      return content(text('Reconnection test completed successfully.'));
    },
  }),
  trigger('test_trigger_tool_change', 'tools'),
  trigger('test_trigger_prompt_change', 'prompts'),
];

function trigger(name: string, change: 'tools' | 'prompts'): FunctionTool {
  return defineTool({
    name,
    description: `Announces that the ${change} have changed.`,
    handler: (_args, context) => {
      context.notify(change);
      return content(text(`Announced: ${change}.`));
    },
  });
}

const RESOURCES: readonly FunctionResource[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    read: () => ({ mimeType: 'text/plain', text: 'This is the content of the static text resource.' }),
  },
  {
    uri: 'test://static-binary',
    name: 'Static binary',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    read: () => ({ mimeType: 'image/png', blob: PNG }),
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched resource',
    description: 'A resource to subscribe to.',
    mimeType: 'text/plain',
    read: () => ({ mimeType: 'text/plain', text: 'Watched resource content.' }),
  },
];

const RESOURCE_TEMPLATES: readonly FunctionResourceTemplate[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Data by id',
    description: 'Data of one id.',
    mimeType: 'application/json',
    read: (_uri, { id }) => ({
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }),
  },
];

const user = (...blocks: Parameters<typeof content>) =>
  blocks.map((block) => ({ role: 'user', content: block }) as const);

const PROMPTS: readonly FunctionPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A prompt without arguments.',
    get: () => user(text('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments.',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    complete: (_argument, value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that embeds a resource.',
    arguments: [{ name: 'resourceUri', description: 'Address of the resource to embed', required: true }],
    get: ({ resourceUri }) =>
      user(
        {
          type: 'resource',
          resource: {
            uri: resourceUri ?? 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt with an image.',
    get: () => user(image, text('Please analyze the image above.')),
  },
  ROUND_TRIP_PROMPT,
];

/** Everything that the MCP conformance suite looks for in a server. */
export const fixture = defineFunctions({
  tools: [...CONTENT_TOOLS, ...CALL_TOOLS, ...ELICITATION_TOOLS, ...ROUND_TRIP_TOOLS, ...TASK_TOOLS],
  resources: RESOURCES,
  resourceTemplates: RESOURCE_TEMPLATES,
  prompts: PROMPTS,
});
