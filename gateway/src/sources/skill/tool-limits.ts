import { backoffBefore, isObject, type Json, SKILL_LIMITS, type SkillRetry } from '../../operations/index.ts';
import { type Member, Members, type Note } from './tool-members.ts';

/** Of `runtime`; every value within its bounds. */
export interface RuntimeDefaults {
  readonly timeoutMs: number;
  readonly retry: SkillRetry;
}

export const SYSTEM_DEFAULTS: RuntimeDefaults = Object.freeze({
  timeoutMs: SKILL_LIMITS.timeoutMs,
  retry: { maxAttempts: SKILL_LIMITS.attempts, backoffMs: SKILL_LIMITS.backoffMs },
});

/** Milliseconds beside attempts and pauses: a process that is ended, an answer that is read. */
const TEARDOWN_MS = 2_500;

/** `runtime` of a skill's first manifest. */
export function runtimeDefaults(member: Member | undefined, note: Note): RuntimeDefaults {
  if (member === undefined) return SYSTEM_DEFAULTS;
  if (!isObject(member.value)) {
    note('skill-limit', 'runtime is a mapping; it does not count.', member.path, 'warning');
    return SYSTEM_DEFAULTS;
  }
  const runtime = new Members(member.value, member.path, ['default_timeout_sec', 'default_retry'], note);
  return {
    timeoutMs: timeoutOf([runtime.get('default_timeout_sec')], SYSTEM_DEFAULTS.timeoutMs, note),
    retry: retryOf([runtime.get('default_retry')], SYSTEM_DEFAULTS.retry, note),
  };
}

/** Milliseconds of one attempt: the first member that is there, in seconds, within its bounds. */
export function timeoutOf(members: ReadonlyArray<Member | undefined>, otherwise: number, note: Note): number {
  const member = members.find((one) => one !== undefined);
  if (member === undefined) return otherwise;
  const seconds = numberOf(member.value);
  if (seconds === undefined || seconds <= 0) {
    const system = SKILL_LIMITS.timeoutMs / 1000;
    note(
      'skill-limit',
      `${nameOf(member)} is a number of seconds above 0: ${system} count.`,
      member.path,
      'warning',
    );
    return SKILL_LIMITS.timeoutMs;
  }
  const most = SKILL_LIMITS.maxTimeoutMs / 1000;
  if (seconds > most)
    note('skill-limit', `${nameOf(member)} is at most ${most}: it is cut.`, member.path, 'warning');
  return Math.max(1, Math.round(Math.min(seconds, most) * 1000));
}

/** Attempts and pause, each of the first mapping that names it. */
export function retryOf(
  members: ReadonlyArray<Member | undefined>,
  otherwise: SkillRetry,
  note: Note,
): SkillRetry {
  const retries = members.flatMap((member) => {
    if (member === undefined) return [];
    if (isObject(member.value))
      return [new Members(member.value, member.path, ['max_attempts', 'backoff_ms'], note)];
    note('skill-limit', `${nameOf(member)} is a mapping; it does not count.`, member.path, 'warning');
    return [];
  });
  const first = (key: string) => retries.map((one) => one.get(key)).find((one) => one !== undefined);
  return {
    maxAttempts:
      within(first('max_attempts'), 1, SKILL_LIMITS.maxAttempts, SKILL_LIMITS.attempts, note) ??
      otherwise.maxAttempts,
    backoffMs:
      within(first('backoff_ms'), 0, SKILL_LIMITS.maxBackoffMs, SKILL_LIMITS.backoffMs, note) ??
      otherwise.backoffMs,
  };
}

/** Milliseconds that a call may take with every attempt and pause. */
export function callTimeoutMs({ timeoutMs, retry }: RuntimeDefaults): number {
  let total = timeoutMs * retry.maxAttempts + TEARDOWN_MS;
  for (let next = 2; next <= retry.maxAttempts; next++) total += backoffBefore(next, retry);
  return total;
}

/** A whole number within bounds; the system's default for what is none. */
function within(
  member: Member | undefined,
  least: number,
  most: number,
  system: number,
  note: Note,
): number | undefined {
  if (member === undefined) return undefined;
  const given = numberOf(member.value);
  if (given === undefined) {
    note('skill-limit', `${nameOf(member)} is a number: ${system} counts.`, member.path, 'warning');
    return system;
  }
  const bounded = Math.min(most, Math.max(least, Math.round(given)));
  if (given < least || given > most)
    note(
      'skill-limit',
      `${nameOf(member)} is ${least} to ${most}: ${bounded} counts.`,
      member.path,
      'warning',
    );
  return bounded;
}

/** Texts that are numbers are taken, as the format's first readers did. */
function numberOf(value: Json): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function nameOf({ path }: Member): string {
  return String(path.at(-1));
}
