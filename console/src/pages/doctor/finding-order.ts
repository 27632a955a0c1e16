import { counted } from '../../components/quantities.ts';
import type { FindingGroup, GroupedFinding } from './queries.ts';

type Status = GroupedFinding['status'];

/** Worst first. */
const STATUSES: readonly Status[] = ['error', 'warning', 'info', 'ok'];

const TITLES: Readonly<Record<FindingGroup, string>> = {
  machine: 'This machine',
  configuration: 'Configuration and store',
  access: 'Credentials and permissions',
  sources: 'Sources',
  services: 'Services behind them',
  clients: 'MCP clients',
};

export interface FindingList {
  readonly group: FindingGroup;
  readonly title: string;
  /** Worst first; else as they were found. */
  readonly findings: readonly GroupedFinding[];
}

/** By what they are about: the group with the worst finding first, else in the order in which a call needs them. */
export function orderedFindings(findings: readonly GroupedFinding[]): FindingList[] {
  const groups = Map.groupBy(findings, ({ group }) => group);
  return [...groups]
    .map(([group, found]) => ({ group, title: TITLES[group] ?? group, findings: worstFirst(found) }))
    .toSorted((left, right) => rank(left.findings[0]) - rank(right.findings[0]));
}

/** `2 errors, 1 warning`; undefined where there is neither. */
export function troubleIn(findings: readonly GroupedFinding[]): string | undefined {
  const counts = (['error', 'warning'] as const)
    .map((status) => [findings.filter((one) => one.status === status).length, status] as const)
    .filter(([count]) => count > 0);
  if (counts.length === 0) return undefined;
  return counts.map(([count, noun]) => counted(count, noun)).join(', ');
}

/** The findings as text to hand on, worst first. */
export function asText(findings: readonly GroupedFinding[]): string {
  return orderedFindings(findings)
    .flatMap(({ title, findings: found }) => [
      title,
      ...found.map(({ status, check, message, next }) =>
        [
          `  ${status.padEnd(7)} ${check}: ${message}`,
          ...(next === undefined ? [] : [`          → ${next}`]),
        ].join('\n'),
      ),
    ])
    .join('\n');
}

function worstFirst(findings: readonly GroupedFinding[]): GroupedFinding[] {
  return findings.toSorted((left, right) => rank(left) - rank(right));
}

function rank(finding: GroupedFinding | undefined): number {
  return finding === undefined ? STATUSES.length : STATUSES.indexOf(finding.status);
}
