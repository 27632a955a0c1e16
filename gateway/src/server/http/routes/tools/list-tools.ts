import { z } from 'zod';
import type { Tool } from '../../../../operations/index.ts';
import { route } from '../../route.ts';
import { clientWishes, narrowedCaller } from './client-wishes.ts';

const query = z.strictObject({
  format: z
    .enum(['mcp', 'openai', 'anthropic'])
    .default('mcp')
    .describe('Shape of the definitions: MCP tools, OpenAI function tools or Anthropic tools.'),
  topology: z.string().max(32).optional().describe('How operations become tools; default: as configured.'),
  source: z
    .string()
    .max(2048)
    .optional()
    .describe('Only what these sources bring, with commas between them; as at /mcp.'),
  maxAccess: z
    .enum(['read', 'write', 'delete'])
    .optional()
    .describe('The most that a listed operation may do; as at /mcp.'),
  skill: z.string().max(64).optional().describe("The skill whose tools are there; default: the role's."),
});

export const listTools = route({
  method: 'get',
  path: '/api/v1/tools',
  operationId: 'listTools',
  summary: 'List the tools that the caller sees',
  access: 'read',
  tag: 'tools',
  query,
  response: {
    description: 'Tools in order of their names.',
    schema: z.object({ catalog: z.string(), tools: z.array(z.record(z.string(), z.unknown())) }),
  },
  handle: async ({ query: { format, topology, source, maxAccess, skill } }, { gateway, principal }) => {
    await gateway.freshen?.();
    const client = await clientWishes(gateway, principal, { topology, skill });
    const caller = await narrowedCaller(gateway, principal, { source, maxAccess });
    const { catalog, tools } = gateway.view(caller, client);
    return { catalog: catalog.hash, tools: tools.map(({ tool }) => FORMATS[format](tool)) };
  },
});

const FORMATS = {
  mcp: (tool: Tool): object => tool,
  openai: ({ name, description, inputSchema }: Tool): object => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }),
  anthropic: ({ name, description, inputSchema }: Tool): object => ({
    name,
    description,
    input_schema: inputSchema,
  }),
};
