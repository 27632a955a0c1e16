import type { Configuration } from '../config/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';
import type { Finding } from './finding.ts';

/** Sources that the rules for untrusted output name and that are not there: a slip of the pen in one asks nobody. */
export function checkUntrustedSources({ sources, policy, output }: Configuration): Finding[] {
  const known = Object.keys(sources);
  const unknown = (names: readonly string[], place: string, means: string): Finding[] =>
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({
        check: 'untrusted output',
        status: 'warning',
        message: `${place} names ${name}, which is no source.${didYouMean(name, known)} ${means}`,
        next: `Correct the name; the sources are ${known.join(', ')}.`,
      }));
  return [
    ...unknown(
      policy.taint?.sources ?? [],
      'policy.taint.sources',
      'Nobody is asked before something is changed after its content was read.',
    ),
    ...unknown(
      Object.keys(output.untrusted?.sources ?? {}),
      'output.untrusted.sources',
      'What is said of it holds for none.',
    ),
  ];
}
