import type { z } from 'zod';
import { ToolcribError } from '../../errors.ts';
import type { MarkdownPolicy, TaintPolicy, UntrustedPolicy } from '../../operations/index.ts';
import { milliseconds } from '../measures.ts';
import type { taintShape, untrustedShape } from '../schema/untrusted.ts';

const MINUTE = 60_000;
const DEFAULT_FOR = 30 * MINUTE;
const LONGEST = 24 * 60 * MINUTE;
/** A bare number is milliseconds: 30 is more likely meant as minutes, and would protect nobody. */
const SHORTEST = 1000;

/** What is read from the web or another server's tools is defanged; answers of APIs are data. */
export const DEFAULT_UNTRUSTED: UntrustedPolicy = Object.freeze({
  label: true,
  clean: true,
  markdown: Object.freeze({ web: 'defang', mcp: 'defang', http: 'keep', function: 'keep' }),
  hosts: Object.freeze([]),
  sources: Object.freeze({}),
});

/** `output.untrusted`, complete. */
export function untrustedConfiguration(given: z.infer<typeof untrustedShape> | undefined): UntrustedPolicy {
  if (given === undefined) return DEFAULT_UNTRUSTED;
  const { label = true, clean = true, markdown, hosts = [], sources = {} } = given;
  return {
    label,
    clean,
    markdown: byKind(markdown),
    hosts: hosts.map((host) => host.toLowerCase()),
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, { trusted, markdown: own }]) => [
        name,
        { ...(trusted === undefined ? {} : { trusted }), ...(own === undefined ? {} : { markdown: own }) },
      ]),
    ),
  };
}

function byKind(given: z.infer<typeof untrustedShape>['markdown']): UntrustedPolicy['markdown'] {
  const named: { readonly [Kind in keyof UntrustedPolicy['markdown']]?: MarkdownPolicy | undefined } =
    typeof given === 'string' ? { web: given, mcp: given, http: given, function: given } : (given ?? {});
  const kinds = Object.entries(DEFAULT_UNTRUSTED.markdown) as Array<
    [keyof UntrustedPolicy['markdown'], MarkdownPolicy]
  >;
  return Object.fromEntries(
    kinds.map(([kind, policy]) => [kind, named[kind] ?? policy]),
  ) as UntrustedPolicy['markdown'];
}

/** `policy.taint`, complete. Throws `configuration_invalid` where it lasts too long, or no time at all. */
export function taintConfiguration(given: z.infer<typeof taintShape>): TaintPolicy {
  const { writes, sources, for: lasting = DEFAULT_FOR } = given;
  const forMs = milliseconds(lasting);
  if (forMs < SHORTEST || forMs > LONGEST) {
    throw new ToolcribError(
      'configuration_invalid',
      `policy.taint.for is ${forMs} milliseconds, and lasts from 1s to 24h.`,
      { pointer: '#/policy/taint/for', next: 'Write it with its unit, such as 30m.' },
    );
  }
  return { writes, forMs, ...(sources === undefined ? {} : { sources }) };
}
