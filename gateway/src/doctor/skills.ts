import type { Configuration } from '../config/index.ts';
import { skillPolicyOf, skillsOf } from '../config/settings/skills.ts';
import { ERRORS } from '../errors.ts';
import type { Diagnostic } from '../operations/index.ts';
import { type IsolationInForce, isolationInForce, isolationText } from '../sandbox/index.ts';
import type { Finding } from './finding.ts';

const MOST_NAMED = 3;

/** What isolates scripts of skills here, under the mode of the policy. Nothing without a source of skills. */
export async function checkSkills(
  configuration: Configuration,
  inForce: () => Promise<IsolationInForce> = isolationInForce,
): Promise<Finding[]> {
  if (sourcesOfSkills(configuration).length === 0) return [];
  const { mode, enabled } = skillPolicyOf(configuration);
  const check = 'skills';
  if (!enabled) return [{ check, status: 'info', message: 'their tools are switched off' }];
  if (mode === 'permissive') {
    const message = 'their scripts run as they are, with every right of the gateway (mode permissive)';
    return [{ check, status: 'info', message }];
  }
  const isolation = await inForce();
  const text = isolationText(isolation);
  if (isolation.available)
    return [{ check, status: 'ok', message: `their scripts run in ${text} (mode ${mode})` }];
  if (mode === 'strict') {
    const message = `nothing isolates their scripts, and the mode strict refuses them: ${text}.`;
    return [{ check, status: 'error', message, next: ERRORS.sandbox_unavailable.next }];
  }
  const message = `nothing isolates their scripts, and a person must agree to each skill first: ${text}.`;
  const next = 'Install bubblewrap (bwrap) on Linux: they then run without network and with read-only files.';
  return [{ check, status: 'warning', message, next }];
}

/** Skills and tools of them that were left out, with the first reasons: one finding for each source. */
export function checkSkillTools(
  configuration: Configuration,
  diagnostics: readonly Diagnostic[],
): readonly Finding[] {
  return sourcesOfSkills(configuration).flatMap((source): Finding[] => {
    const faults = diagnostics.filter(
      (one) => one.source === source && one.severity === 'error' && one.code.startsWith('skill-'),
    );
    if (faults.length === 0) return [];
    const named = faults
      .slice(0, MOST_NAMED)
      .map(({ message, location }) => (location === undefined ? message : `${message} (${location})`));
    const more = faults.length - named.length;
    return [
      {
        check: `skills of ${source}`,
        status: 'warning',
        message: `${named.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`,
        next: 'Correct them at the places named; `toolcrib skills lint FOLDER` shows every finding.',
      },
    ];
  });
}

function sourcesOfSkills({ sources }: Configuration): string[] {
  return Object.keys(sources).filter((name) => skillsOf(sources[name]!) !== undefined);
}
