import { z } from 'zod';
import { ERRORS } from '../../../../errors.ts';
import { type CompletedResult, type JsonObject, readTrace } from '../../../../operations/index.ts';
import { route } from '../../route.ts';
import { ASKED, ASKS, askCaller, type CarryOut } from './ask-caller.ts';
import { clientWishes } from './client-wishes.ts';

export const callTool = route({
  method: 'post',
  path: '/api/v1/tools/{name}/call',
  operationId: 'callTool',
  summary: 'Call a tool',
  description:
    'Passes the same checks as a call over MCP. A dry run builds the request and shows it without sending; it asks nothing and takes no answers. A failed call has the status and the error of its code, and the content and `meta` of the result where there are any. A tool that asks something is answered with 202 where the caller declared that it can be asked: the same request again, with `inputResponses` and `requestState`, goes on with the call.',
  access: 'dangerous',
  tag: 'tools',
  params: z.object({ name: z.string().min(1).describe('Name of the tool.') }),
  body: z
    .strictObject({
      arguments: z.record(z.string(), z.unknown()).default({}),
      dryRun: z.boolean().default(false).describe('Build the request, do not send it.'),
      approval: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .optional()
        .describe('Id of an approval that an earlier call was told to wait for.'),
      topology: z
        .string()
        .max(32)
        .optional()
        .describe('The topology whose tool it is; default: as configured.'),
      skill: z.string().max(64).optional().describe('The skill whose tool it is, where one is selected.'),
      wait: z
        .int()
        .min(0)
        .max(600_000)
        .optional()
        .describe('How long to wait for a person, milliseconds. Default: as the policy says.'),
      ...ASKED,
    })
    .default({ arguments: {}, dryRun: false }),
  response: {
    description: 'The call succeeded.',
    schema: z.looseObject({
      content: z.array(z.looseObject({ type: z.string() })),
      structured: z.unknown().optional(),
      warnings: z.array(z.string()).optional(),
      status: z.number().int().optional().describe('HTTP status of the upstream.'),
      meta: z
        .looseObject({})
        .optional()
        .describe('What MCP has in `_meta`: `toolcrib/headers` are headers of the answer.'),
    }),
  },
  otherResponse: {
    status: 202,
    description: 'The tool asks its caller something, and waits for the answers.',
    schema: ASKS,
  },
  handle: async ({ params, body }, { gateway, asking, principal, request, signal, depth }) => {
    const { headers } = request;
    const client = await clientWishes(gateway, principal, body);
    const args = body.arguments as JsonObject;
    const call: CarryOut = (own) =>
      gateway.call({
        ...own,
        tool: params.name,
        arguments: args,
        dryRun: body.dryRun,
        depth,
        client,
        ...readTrace(headers.get('traceparent'), headers.get('tracestate')),
        channel: {
          ...own.channel,
          ...(body.approval === undefined ? {} : { approval: body.approval }),
          ...(body.wait === undefined ? {} : { waitMs: body.wait }),
        },
      });
    // a dry run asks nothing, and goes on with nothing: what waits for an answer is a call in earnest
    const asked = body.dryRun ? {} : body;
    const caller = { asking, principal, signal, tool: params.name, arguments: args };
    const result = await askCaller(caller, asked, call);
    if (result instanceof Response) return result;
    return result.error === undefined ? succeeded(result) : failed(result, result.error);
  },
});

function succeeded({ content, structured, warnings, status, meta }: CompletedResult): object {
  return { content, structured, warnings, status, meta };
}

function failed(
  { content, structured, meta }: CompletedResult,
  error: NonNullable<CompletedResult['error']>,
): Response {
  const row = ERRORS[error.code];
  return Response.json(
    { error: { next: row.next, ...error }, content, structured, meta },
    { status: row.status },
  );
}
