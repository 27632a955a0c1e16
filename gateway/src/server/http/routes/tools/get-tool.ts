import { z } from 'zod';
import type { CatalogEntry } from '../../../../catalog/catalog.ts';
import { ToolcribError } from '../../../../errors.ts';
import type { Principal, PublishedTool } from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { route } from '../../route.ts';
import { AGREEMENT } from '../access/access-schemas.ts';
import { ACCESS, TERMS, TOOL } from '../schemas.ts';
import { clientWishes } from './client-wishes.ts';
import { exampleArguments } from './example-arguments.ts';

export const getTool = route({
  method: 'get',
  path: '/api/v1/tools/{name}',
  operationId: 'getTool',
  summary: 'Get one tool and the operation behind it',
  access: 'read',
  tag: 'tools',
  params: z.object({ name: z.string().min(1).describe('Name of the tool.') }),
  query: z.strictObject({
    topology: z
      .string()
      .max(32)
      .optional()
      .describe(
        'The topology whose tool it is; default: as configured. `flat`: any operation of the caller.',
      ),
    tokens: z.enum(['true', 'false']).default('false').describe('Also count its tokens.'),
  }),
  response: {
    description: 'The tool as clients see it, and what it reaches.',
    schema: z.object({
      tool: TOOL,
      operation: z
        .looseObject({
          id: z.string(),
          source: z.string(),
          access: ACCESS,
          tags: z.array(z.string()),
          ...TERMS,
        })
        .optional(),
      hash: z.string().optional().describe('What the lock holds.'),
      listed: z.boolean().describe('It is in the list that the caller is given as configured.'),
      example: z
        .object({
          arguments: z.record(z.string(), z.unknown()),
          made: z.array(z.string()).describe('JSON Pointers of values that nothing in the schema states.'),
        })
        .describe('Arguments to begin with: what is required.'),
      approval: AGREEMENT.optional().describe(
        'Why a person must agree to its calls; absent: none is asked, or it depends on the call.',
      ),
      tokens: z.number().int().optional().describe('o200k, as a model is given it.'),
      calls: z.string().describe('Path of the events of its calls.'),
    }),
  },
  handle: async ({ params: { name }, query }, { gateway, principal }) => {
    const { tools, catalog } = gateway.view(principal, await clientWishes(gateway, principal, query));
    const entry = catalog.byTool(name);
    const published = tools.find(({ tool }) => tool.name === (entry?.tool.name ?? name));
    if (published === undefined) {
      throw new ToolcribError(
        'tool_unknown',
        `There is no tool named ${name.slice(0, 128)} for this caller.`,
      );
    }
    const { tool } = published;
    const listed =
      query.topology === undefined || gateway.view(principal).tools.some((one) => one.name === tool.name);
    const { inspection } = gateway;
    return {
      tool,
      ...(entry === undefined || entry.operation !== published.operation
        ? {}
        : operationBehind(entry, gateway, principal)),
      listed,
      example: exampleArguments(tool.inputSchema),
      ...(query.tokens === 'true' && inspection !== undefined
        ? { tokens: inspection.tokens(published) }
        : {}),
      calls: `/api/v1/events?tool=${encodeURIComponent(tool.name)}`,
    };
  },
});

function operationBehind(
  entry: CatalogEntry & PublishedTool,
  { inspection }: GatewayAdmin,
  principal: Principal,
): object {
  const operation = entry.load();
  const { budget, limits } = operation;
  const approval = inspection?.approval(entry.name, operation, principal);
  return {
    operation: {
      ...entry.facts,
      ...(budget === undefined ? {} : { budget }),
      ...(limits === undefined ? {} : { limits }),
    },
    hash: entry.hash,
    ...(approval === undefined ? {} : { approval }),
  };
}
