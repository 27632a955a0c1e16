import { z } from 'zod';
import { closed, duration, text } from './values.ts';

const markdown = z.enum(['keep', 'defang', 'strip']);

/** `output.untrusted`. */
export const untrustedShape = closed({
  label: z
    .boolean()
    .optional()
    .describe('Results say in _meta that they are untrusted, and where they are from. Default: true.'),
  clean: z
    .boolean()
    .optional()
    .describe('Invisible characters, escape sequences and imitated control tags are removed. Default: true.'),
  markdown: z
    .union([
      markdown,
      closed({
        web: markdown.optional(),
        mcp: markdown.optional(),
        http: markdown.optional(),
        function: markdown.optional(),
      }),
    ])
    .optional()
    .describe(
      'Links, images and active HTML in text: for all, or by kind. Default: defang for web and mcp, else keep.',
    ),
  hosts: z
    .array(
      z
        .string()
        .regex(/^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'Must be a host, or *. and a host.'),
    )
    .max(1000)
    .optional()
    .describe('Hosts whose links and images stay.'),
  sources: z
    .record(
      text,
      closed({
        trusted: z.boolean().optional().describe('Default: false where its tools reach an open world.'),
        markdown: markdown.optional(),
      }),
    )
    .optional()
    .describe('What is different for one source.'),
});

/** `policy.taint`. */
export const taintShape = closed({
  writes: z.enum(['ask', 'allow']).describe('What becomes of calls that change something.'),
  sources: z
    .array(text)
    .min(1)
    .optional()
    .describe('Sources whose results count. Default: every untrusted one.'),
  for: duration.optional().describe('How long it lasts. Default: 30m, from 1s to 24h.'),
});
