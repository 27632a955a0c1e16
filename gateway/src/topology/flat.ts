import type { Topology } from './topology.ts';

/** One tool an operation. */
export const flat: Topology = {
  name: 'flat',
  publish: (view) => view.tools,
};
