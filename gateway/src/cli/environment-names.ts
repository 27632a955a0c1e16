import type { Configuration } from '../config/index.ts';

/** Environment variables that the credentials of a configuration refer to; sorted. */
export function environmentNames({ sources }: Configuration): string[] {
  const names = new Set<string>();
  for (const { credentials } of Object.values(sources)) collect(credentials, names);
  return [...names].sort();
}

function collect(value: unknown, names: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'env' && typeof member === 'string') names.add(member);
    else collect(member, names);
  }
}
