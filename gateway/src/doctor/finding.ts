/** One thing `doctor` looked at. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly message: string;
  /** How to mend it. */
  readonly next?: string;
}

/** What a finding is about, in the order in which a call needs it. */
export const FINDING_GROUPS = [
  'machine',
  'configuration',
  'access',
  'sources',
  'services',
  'clients',
] as const;

export type FindingGroup = (typeof FINDING_GROUPS)[number];

export interface GroupedFinding extends Finding {
  readonly group: FindingGroup;
}

export function grouped(group: FindingGroup, findings: readonly Finding[]): GroupedFinding[] {
  return findings.map((finding) => ({ group, ...finding }));
}
