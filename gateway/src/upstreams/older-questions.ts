import { ToolcribError } from '../errors.ts';
import type { ContentBlock, UpstreamEvent } from '../operations/index.ts';
import type { Asked } from './call-error.ts';

/**
 * What the SDKs of TypeScript and Python say where a tool asks its caller on the connection, which MCP 2026-07-28 has
 * no way for; servers that speak both eras are mostly written for the older one.
 */
const NO_WAY = /\bserver-(?:initiated|to-client) requests?\b/i;

/** Whether a failure says that the server's questions need a connection of an older revision. */
export function needsOlderEra(said: string | readonly ContentBlock[]): boolean {
  if (typeof said === 'string') return NO_WAY.test(said);
  return said.some((block) => block.type === 'text' && NO_WAY.test(block.text));
}

/** What the caller is told whose question was not put. `cause`: what the server answered. */
export function askedInOlderEra({ name, what }: Asked, cause?: unknown): ToolcribError {
  return new ToolcribError(
    'capability_missing',
    `The ${what} of "${name}" asks in the way of MCP before 2026-07-28, and was not connected so. It is from now on.`,
    {
      next: 'Read what was done before the question, then call again: it can be put to you.',
      cause,
    },
  );
}

/** What the operator is told. */
export function olderEraEvent(source: string): UpstreamEvent {
  return {
    type: 'upstream-unasked',
    source,
    message: `A tool of the server "${source}" asks in the way of MCP before 2026-07-28: the server is connected anew in that way. With \`era: legacy\` it begins so.`,
  };
}
