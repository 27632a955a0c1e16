import { z } from 'zod';
import { VERSION } from '../../../../version.ts';
import { route } from '../../route.ts';
import { shownConfiguration } from '../../shown-configuration.ts';

export const getConfiguration = route({
  method: 'get',
  path: '/api/v1/configuration',
  operationId: 'getConfiguration',
  summary: 'Get the configuration in force',
  description:
    'Validated, defaults filled in, as it counts now. Secrets are references (`env:NAME`, `file:PATH`); values are never shown.',
  access: 'read',
  tag: 'server',
  audience: 'operator',
  response: {
    description: 'The configuration, and which of its keys count at once when the file changes.',
    schema: z.object({
      file: z
        .string()
        .nullable()
        .describe('Where it was read; null: given by a program or the command line.'),
      version: z.string(),
      node: z.string(),
      configuration: z.record(z.string(), z.unknown()),
      watched: z.boolean().describe('A change of the file is taken over while the gateway runs.'),
      live: z.array(z.string()).describe('Keys that count at once; all others from the next start.'),
      afterRestart: z
        .array(z.string())
        .describe('Keys that were changed since the start and do not count yet.'),
    }),
  },
  handle: (_input, { gateway }) => {
    const { configuration } = gateway;
    const { live = [], afterRestart = [] } = gateway.configurationKeys?.() ?? {};
    return {
      file: configuration.file ?? null,
      version: VERSION,
      node: process.versions.node,
      configuration: shownConfiguration(configuration),
      watched: configuration.watch && configuration.file !== undefined,
      live,
      afterRestart,
    };
  },
});
