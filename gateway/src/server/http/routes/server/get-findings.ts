import { z } from 'zod';
import { FINDING_GROUPS } from '../../../../doctor/finding.ts';
import { ToolcribError } from '../../../../errors.ts';
import { route } from '../../route.ts';

const FINDING = z.object({
  group: z.enum(FINDING_GROUPS),
  check: z.string().describe('What was looked at, e.g. `source weather`.'),
  status: z.enum(['ok', 'info', 'warning', 'error']),
  message: z.string(),
  next: z.string().optional().describe('How to mend it.'),
});

export const getFindings = route({
  method: 'get',
  path: '/api/v1/doctor',
  operationId: 'getFindings',
  summary: 'Find what is wrong and how to mend it',
  description:
    'Looks at this machine, the configuration, credentials by name, the sources and whether the services behind them answer. Changes nothing and sends no credential; takes seconds.',
  access: 'read',
  tag: 'server',
  audience: 'operator',
  response: {
    description: 'Every finding, in the order in which a call needs it.',
    schema: z.object({
      ok: z.boolean().describe('No finding is an error.'),
      time: z.string().describe('When it was found, ISO 8601.'),
      findings: z.array(FINDING),
    }),
  },
  handle: async (_input, { gateway }) => {
    if (gateway.examine === undefined)
      throw new ToolcribError('not_found', 'This gateway cannot examine itself.');
    const findings = await gateway.examine();
    const ok = findings.every(({ status }) => status !== 'error');
    return { ok, time: new Date().toISOString(), findings };
  },
});
