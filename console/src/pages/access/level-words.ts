import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';

export const LEVEL_WORDS: Readonly<Record<AccessLevel, string>> = {
  'read-write': 'Read and write',
  'read-only': 'Read only',
  disabled: 'Switched off',
  none: 'None',
};

export const LEVELS: readonly AccessLevel[] = ['read-write', 'read-only', 'disabled', 'none'];

/** Of a level that may not be set. */
export function levelWords(level: AccessLevel | null): string {
  return level === null ? 'Not set' : LEVEL_WORDS[level];
}

/** `category:*` → `every other category`. */
export function scopeWords(scope: string): string {
  const [kind, name] = [scope.slice(0, scope.indexOf(':')), scope.slice(scope.indexOf(':') + 1)];
  if (kind === 'source') return name;
  return name === '*' ? 'every other category' : `category ${name}`;
}

/** A reason of a factor: which setting decides, in words, or what the gateway says itself. */
export function reasonWords(reason: string): string {
  return /^(?:source|category):/.test(reason) ? `set for ${scopeWords(reason)}` : reason;
}

/** One pending change as a sentence. `nameOf` gives the name of a user. */
export function changeWords(change: AccessChange, nameOf: (user: string) => string): string {
  if (change.kind === 'feature') return `Feature ${change.feature}: ${change.enabled ? 'on' : 'off'}`;
  if (change.kind === 'level') {
    const who = change.user == null ? 'Organisation' : nameOf(change.user);
    return `${who}, ${scopeWords(change.scope)}: ${levelWords(change.level)}`;
  }
  const parts = [
    ...(change.roles === undefined ? [] : [`roles ${change.roles.join(', ') || 'none'}`]),
    ...(change.status === undefined ? [] : [change.status === 'active' ? 'enabled' : 'disabled']),
  ];
  return `${nameOf(change.user)}: ${parts.join('; ')}`;
}
