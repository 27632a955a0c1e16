import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { checkTopology } from './client-wishes.ts';
import { inspectionOf } from './require-inspection.ts';

const COUNT = z.number().int();
const PER_TOOL = z.array(z.object({ name: z.string(), tokens: COUNT }));

/** Tools that are named one by one. */
const LARGEST = 20;

export const getTokens = route({
  method: 'get',
  path: '/api/v1/tokens',
  operationId: 'getTokens',
  summary: 'Measure what the tools cost a model',
  description:
    'Names, descriptions and input schemas as JSON, counted with o200k, in every topology, and what `auto` takes within a budget. The first answer for a catalog takes as long as counting does, later ones milliseconds.',
  access: 'read',
  tag: 'tools',
  query: z.strictObject({
    budget: z.coerce
      .number()
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .describe('Tokens that the list may take under `auto`; default: as configured.'),
    topology: z
      .string()
      .max(32)
      .optional()
      .describe('Whose dearest tools are named; default: what auto takes.'),
    as: z.string().min(1).optional().describe('Id of a user; default: the caller.'),
  }),
  response: {
    description: 'What is listed, every topology, and the choice of `auto`.',
    schema: z.object({
      encoding: z.literal('o200k_base'),
      listed: z
        .object({ topologies: z.array(z.string()), tools: COUNT, tokens: COUNT, outputSchemas: COUNT })
        .describe('What the caller is given as the gateway is configured.'),
      configured: z.object({ topology: z.string(), budget: COUNT }),
      topologies: z.array(
        z.object({
          name: z.string(),
          tools: COUNT,
          tokens: COUNT,
          flow: z
            .object({ search: COUNT, describe: COUNT, call: COUNT, total: COUNT })
            .optional()
            .describe('Finding, describing and calling one operation; absent where it is called at once.'),
        }),
      ),
      budget: COUNT,
      auto: z
        .object({
          took: z.string(),
          tools: COUNT,
          tokens: COUNT,
          fits: z.boolean().describe('False: nothing fits, and the smallest is taken.'),
          considered: z.array(z.object({ name: z.string(), tools: COUNT, tokens: COUNT, fits: z.boolean() })),
        })
        .optional()
        .describe('Absent where nothing is visible.'),
      largest: z.object({ topology: z.string(), tools: PER_TOOL }).optional().describe('The dearest first.'),
      operation: z.string().optional().describe('The operation that the flows are measured with.'),
    }),
  },
  handle: async ({ query: { budget, topology, as } }, { gateway, principal }) => {
    checkTopology(gateway, topology);
    const subject =
      as === undefined || as === principal.id
        ? principal
        : await directoryOf(gateway).users.principal(principal, as);
    const costs = await inspectionOf(gateway).costs(subject, budget);
    const { encoding, listed, topologies, auto, tokenBudget, operation } = costs;
    const { perTool: _listed, ...list } = listed;
    const named = topologies.find(({ name }) => name === (topology ?? auto?.took));
    return {
      encoding,
      listed: list,
      configured: { topology: gateway.configuration.topology, budget: tokenBudget },
      topologies: topologies.map(({ perTool: _each, ...one }) => one),
      budget: costs.budget,
      ...(auto === undefined ? {} : { auto }),
      ...(named === undefined
        ? {}
        : { largest: { topology: named.name, tools: named.perTool.slice(0, LARGEST) } }),
      ...(operation === undefined ? {} : { operation }),
    };
  },
});
