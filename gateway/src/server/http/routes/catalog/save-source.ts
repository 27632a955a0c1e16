import { z } from 'zod';
import type { JsonObject } from '../../../../operations/index.ts';
import type { SourceChange } from '../../admin/gateway-sources.ts';
import { route } from '../../route.ts';
import { KEEP, REVISION, SOURCE_PLAN, sourcesOf } from './source-schemas.ts';

export const saveSource = route({
  method: 'post',
  path: '/api/v1/sources',
  operationId: 'saveSource',
  summary: 'Add a source, or change one',
  description:
    'The entry is what `sources:` or `mcpServers:` of the configuration takes, and is checked as such. With `dryRun` it is read once beside the running gateway, which may start its program, and nothing changes. Secrets are references: text is refused. In the session of the owner only.',
  access: 'dangerous',
  tag: 'catalog',
  audience: 'owner',
  body: z.strictObject({
    section: z.enum(['sources', 'mcpServers']).default('sources'),
    name: z.string().min(1).max(64),
    entry: z.record(z.string(), z.unknown()),
    keep: KEEP,
    revision: REVISION,
    replace: z.boolean().optional().describe('Changes the source of this name.'),
    dryRun: z.boolean().default(false),
  }),
  response: { description: 'What would change, or what has.', schema: SOURCE_PLAN },
  handle: ({ body: { dryRun, entry, ...change } }, { gateway, signal }) =>
    sourcesOf(gateway).save({ ...change, entry: entry as JsonObject } as SourceChange, dryRun, signal),
});
