import { type Invocation, isOfSkill } from './invocation/invocation.ts';
import type { Operation } from './operation.ts';

/** Where a result's meta says that its content was written by strangers: `{ untrusted: true, source, origin }`. */
export const UNTRUSTED_META = 'toolcrib/untrusted';

/**
 * What becomes of links, images and active HTML in text: `keep` leaves them; `defang` shows where they lead and loads
 * nothing; `strip` removes them.
 */
export type MarkdownPolicy = 'keep' | 'defang' | 'strip';

/** Whose answers are like those of another kind: connectors answer as any HTTP service does, scripts as functions. */
const ANSWERS_LIKE = Object.freeze({
  azure: 'http',
  arm: 'http',
  template: 'http',
  script: 'function',
} as const);

export type AnsweringKind = Exclude<Invocation['kind'], keyof typeof ANSWERS_LIKE>;

/** `output.untrusted`: how results of strangers leave the router. */
export interface UntrustedPolicy {
  /** Say in the result's meta that it is untrusted, and where it came from. */
  readonly label: boolean;
  /** Remove what a reader cannot see but a model can. */
  readonly clean: boolean;
  readonly markdown: Readonly<Record<AnsweringKind, MarkdownPolicy>>;
  /** Hosts whose links and images stay; `*.acme.com` for every name below. Lower case. */
  readonly hosts: readonly string[];
  /** What is different for one source. */
  readonly sources: Readonly<
    Record<string, { readonly trusted?: boolean; readonly markdown?: MarkdownPolicy }>
  >;
}

/** `policy.taint`: what a session may do after it has read what strangers wrote. */
export interface TaintPolicy {
  /** `ask`: a person agrees to everything that changes something. */
  readonly writes: 'ask' | 'allow';
  /** Sources whose results count; absent: every untrusted one. */
  readonly sources?: readonly string[];
  /** Milliseconds that it lasts. */
  readonly forMs: number;
}

/** What is done to the results of one operation; undefined: nobody but the operator and its callers wrote them. */
export interface UntrustedRule {
  readonly label: boolean;
  readonly clean: boolean;
  readonly markdown: MarkdownPolicy;
  readonly hosts: readonly string[];
}

/**
 * By MCP's `openWorldHint`: what a tool brings from outside a closed domain may be written by anybody. What an upstream
 * MCP server or a skill says of itself does not count: it would only have to call its world closed.
 */
export function untrustedRule(
  policy: UntrustedPolicy,
  { source, invocation, safety }: Operation,
): UntrustedRule | undefined {
  const isForeign = invocation.kind === 'mcp' || isOfSkill(invocation) || safety.openWorld;
  return ruleFor(policy, source, invocation.kind, isForeign);
}

/** The same for what is read of an upstream server: its resources and prompts. */
export function untrustedReads(policy: UntrustedPolicy, source: string): UntrustedRule | undefined {
  return ruleFor(policy, source, 'mcp', true);
}

function ruleFor(
  { label, clean, markdown, hosts, sources }: UntrustedPolicy,
  source: string,
  kind: Invocation['kind'],
  foreign: boolean,
): UntrustedRule | undefined {
  const own = Object.hasOwn(sources, source) ? sources[source] : undefined;
  if (!(own?.trusted === undefined ? foreign : !own.trusted)) return undefined;
  return { label, clean, markdown: own?.markdown ?? markdown[answeringKind(kind)], hosts };
}

function answeringKind(kind: Invocation['kind']): AnsweringKind {
  return kind in ANSWERS_LIKE ? ANSWERS_LIKE[kind as keyof typeof ANSWERS_LIKE] : (kind as AnsweringKind);
}
