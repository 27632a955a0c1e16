import { defineTool, type FunctionTool, output } from '../../../src/sources/function/define.ts';

export type Message = Record<string, unknown>;

export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** What a client of the newer era sends with every request. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

export const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
  },
} as const;

export function toolsOf(
  ...tools: ReadonlyArray<{ readonly name: string; readonly handler: (...args: never[]) => unknown }>
): readonly FunctionTool[] {
  return tools.map((tool) => defineTool({ description: 'd', input: { type: 'object' }, ...tool } as never));
}

/** What answers in every way that a call can be answered directly. */
export const ANSWERS: readonly FunctionTool[] = toolsOf(
  { name: 'text', handler: () => 'just text' },
  { name: 'object', handler: (args: object) => ({ got: args as never, ключ: ['ü', '\u2028', '"'] }) },
  { name: 'nothing', handler: () => undefined },
  { name: 'failed', handler: () => output({ content: [{ type: 'text', text: 'no' }], failed: true }) },
  {
    name: 'throws',
    handler: () => {
      throw new Error('secret');
    },
  },
  {
    name: 'needs sampling',
    handler: (_args: object, context: { requireCapability(name: 'sampling'): void }) => {
      context.requireCapability('sampling');
      return 1;
    },
  },
);
