import { connectorPrefix, type OperationFacts, type VisibleOperation } from '../operations/index.ts';
import { callTool } from './finding/call-tool.ts';
import { discoverTool } from './finding/discover-tool.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import type { Topology } from './topology.ts';

/** Best first. */
const RANKS: Readonly<Record<NonNullable<OperationFacts['importance']> | 'unset', number>> = {
  important: 0,
  unset: 1,
  advanced: 2,
};

/**
 * Flat, up to a number of tools for each connector: important operations first, then those without a rank, then the
 * advanced ones. What is left over is found, called and listed by `<api>_discover`. `options.listedPerConnector` says
 * the number for each source; other sources are listed whole.
 */
export const capped: Topology = {
  name: 'capped',
  shapes: false,
  keepsFound: true,
  publish(set, options) {
    const groups = Map.groupBy(set.operations, groupOf);
    const pinned = new Set(pinnedTools(set, options));
    const taken = new Set<string>();
    const direct: VisibleOperation[] = [];
    const finders = [...groups.values()].flatMap((members) => {
      const [first] = members;
      const most = options.listedPerConnector?.[first!.source];
      const { connector } = first!.facts;
      if (most === undefined || connector === undefined || members.length <= most) {
        direct.push(...members);
        return [];
      }
      const listed = new Set(byImportance(members).slice(0, most));
      direct.push(...members.filter((member) => listed.has(member) || pinned.has(member)));
      const { api, connection } = connector;
      const name = connectorPrefix(api, connection);
      const about = `${members.length} of ${name}, ${members.length - most} of them not listed`;
      const finder = discoverTool(set, { name, source: first!.source, members, about }, options, taken);
      taken.add(finder.name);
      return [finder];
    });
    if (finders.length === 0) return set.operations;
    return [...direct, ...finders, callTool(set, { shapes: false })];
  },
};

function groupOf({ source, facts: { connector } }: VisibleOperation): string {
  return JSON.stringify([source, connector?.connection]);
}

/** Deprecated ones last among equals; then as the set has them, by name. */
function byImportance(members: readonly VisibleOperation[]): readonly VisibleOperation[] {
  const rank = ({ facts }: VisibleOperation) =>
    RANKS[facts.importance ?? 'unset'] * 2 + (facts.deprecated === true ? 1 : 0);
  return members.toSorted((a, b) => rank(a) - rank(b));
}
