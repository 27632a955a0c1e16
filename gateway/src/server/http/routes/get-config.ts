import { z } from 'zod';
import { DEFAULTS } from '../../../config/defaults.ts';
import { route } from '../route.ts';

const PROTOCOL_VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

export const getConfig = route({
  method: 'get',
  path: '/api/v1/config',
  operationId: 'getConfig',
  summary: 'Get the capability profile of this gateway',
  description:
    'Version, protocol revisions, topologies, limits and settings that clients may rely on. Holds no secret.',
  access: 'read',
  tag: 'server',
  response: {
    description: 'The capability profile.',
    schema: z.object({
      name: z.string(),
      version: z.string(),
      protocolVersions: z.array(z.string()),
      topology: z.string(),
      topologies: z.array(z.string()),
      toolFormats: z.array(z.string()),
      schemaProfile: z.string(),
      output: z.object({ strict: z.boolean(), schemas: z.boolean() }),
      lock: z.object({ mode: z.string() }),
      limits: z.object({ maxBodyBytes: z.number().int(), drainMs: z.number().int() }),
      tokenRequired: z.boolean(),
      watch: z.boolean(),
    }),
  },
  handle: (_input, { gateway }) => {
    const { topology, schemaProfile, output, lock, server, watch } = gateway.configuration;
    return {
      name: gateway.name,
      version: gateway.version,
      protocolVersions: PROTOCOL_VERSIONS,
      topology,
      topologies: DEFAULTS.topologies,
      toolFormats: ['mcp', 'openai', 'anthropic'],
      schemaProfile,
      output: { strict: output.strict, schemas: output.schemas },
      lock: { mode: lock.mode },
      limits: { maxBodyBytes: server.maxBodyBytes, drainMs: server.drainMs },
      tokenRequired: server.token !== undefined,
      watch,
    };
  },
});
