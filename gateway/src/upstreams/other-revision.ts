import { isObject } from '../operations/index.ts';
import { messageOf } from '../operations/text/message-of.ts';
import { MODERN_VERSION } from './session/connect-client.ts';
import type { UpstreamDefinition } from './upstreams.ts';

/** Why no revision of MCP was agreed on, and what to do. */
export interface OtherRevision {
  readonly because: string;
  readonly next: string;
}

const REVISION = /^\d{4}-\d{2}-\d{2}$/;
/** What the SDK says of an answer to `initialize`, and of a server that `era: modern` does not fit. */
const CHOSEN = /^Server's protocol version is not supported: (.+)$/;
const PINNED = /did not offer pinned protocol version/;

/** Of a handshake that failed for its revision; undefined for every other error. */
export function otherRevision(error: unknown, { era }: UpstreamDefinition): OtherRevision | undefined {
  if (PINNED.test(messageOf(error))) {
    return {
      because: `it does not speak MCP ${MODERN_VERSION}, the only revision that \`era: modern\` allows.`,
      next: 'Nothing was sent. Take `era: modern` away from this server.',
    };
  }
  const spoken = revisionsOf(error);
  if (spoken.length === 0) return undefined;
  const because = `it speaks MCP ${spoken.join(', ')} and none of the revisions that it was offered.`;
  return { because, next: `Nothing was sent. ${adviceFor(spoken, era)}` };
}

function adviceFor(spoken: readonly string[], era: UpstreamDefinition['era']): string {
  if (era === 'legacy' && spoken.includes(MODERN_VERSION)) return 'Take `era: legacy` away from this server.';
  return spoken.some((revision) => revision > MODERN_VERSION)
    ? 'Update Toolcrib, or take an older version of this server.'
    : 'Take a newer version of this server.';
}

/** Errors name them in `data.supported` (MCP, Unsupported Protocol Version); foreign text. */
function revisionsOf(error: unknown): readonly string[] {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const named = isObject(data) && Array.isArray(data['supported']) ? data['supported'] : [];
  const chosen = CHOSEN.exec(messageOf(error))?.[1];
  return [...named, chosen]
    .filter((one) => typeof one === 'string' && REVISION.test(one))
    .slice(0, 5) as string[];
}
