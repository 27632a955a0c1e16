import { z } from 'zod';
import { route } from '../../route.ts';
import { ACCESS, EVENT } from '../schemas.ts';
import { callStory } from './call-story.ts';

const STEP = z.object({
  name: z.string().describe('A layer of the router, or what was done within the innermost one: `attempt` …'),
  depth: z.int().describe('Steps behind it with a larger one are parts of it.'),
  startMs: z.number().describe('After the call began.'),
  durationMs: z.number(),
  ownMs: z.number().optional().describe('Of that, without its parts; absent: all.'),
  outcome: z.enum(['passed', 'answered', 'refused', 'failed']),
  detail: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export const getCall = route({
  method: 'get',
  path: '/api/v1/calls/{id}',
  operationId: 'getCall',
  summary: 'Show the whole story of a call',
  description:
    'Who called what with which arguments (redacted), what each layer of the router did and how long it took, every attempt at a request, approval, artifact, error and events. An admin sees the calls of the organisation, a user the own ones; all others are unknown.',
  access: 'read',
  tag: 'events',
  params: z.object({ id: z.string().min(1).max(300).describe('Correlation id of the call.') }),
  response: {
    description: 'The call.',
    schema: z.looseObject({
      call: z.string(),
      state: z
        .enum(['waiting', 'running', 'completed', 'asked', 'failed'])
        .describe('`asked`: it ended with a question to a person; `waiting`: it still waits for one.'),
      tool: z.string(),
      operation: z.string(),
      source: z.string(),
      access: ACCESS,
      principal: z.string(),
      organisation: z.string().optional(),
      run: z.string().optional(),
      trace: z.string().optional(),
      dryRun: z.literal(true).optional().describe('Nothing was sent: the request was only built.'),
      startedAt: z.string(),
      durationMs: z.number().optional(),
      status: z.int().optional(),
      input: z.record(z.string(), z.unknown()).optional(),
      edited: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('What a person who approved it made of `input`: what was carried out.'),
      summary: z.string().optional(),
      artifact: z.string().optional(),
      approval: z.string().optional(),
      error: z.object({ code: z.string(), message: z.string(), next: z.string() }).optional(),
      steps: z.array(STEP),
      stepsLeftOut: z.int().optional(),
      events: z.array(EVENT),
    }),
  },
  handle: ({ params: { id } }, { gateway, principal }) => callStory(gateway, principal, id),
});
