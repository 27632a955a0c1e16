import type { VisibleOperation } from '../operations/index.ts';
import { callTool } from './finding/call-tool.ts';
import { discoverTool, titled } from './finding/discover-tool.ts';
import { pinnedTools } from './finding/pinned-tools.ts';
import type { Topology } from './topology.ts';

/**
 * Small sources are listed as they are; each larger one has a tool that finds its operations and lists them on demand.
 * Answers are not shaped: an operation answers alike, listed or not.
 */
export const discover: Topology = {
  name: 'discover',
  shapes: false,
  keepsFound: true,
  publish(set, options) {
    const bySource = Map.groupBy(set.operations, ({ source }) => source);
    const large = [...bySource].filter(([, operations]) => operations.length > options.maxToolsPerApi);
    if (large.length === 0) return set.operations;
    const hidden = new Set(large.map(([source]) => source));
    const direct = new Set<VisibleOperation>([
      ...set.operations.filter(({ source }) => !hidden.has(source)),
      ...pinnedTools(set, options),
    ]);
    const taken = new Set<string>();
    const finders = large.map(([source, members]) => {
      const title = set.sources.find(({ name }) => name === source)?.title;
      const about = `${members.length} of ${titled(source, title)}`;
      const finder = discoverTool(set, { name: source, source, members, about }, options, taken);
      taken.add(finder.name);
      return finder;
    });
    return [...direct, ...finders, callTool(set, { shapes: false })];
  },
};
