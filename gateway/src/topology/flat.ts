import type { Topology } from './topology.ts';

/** One tool an operation. */
export const flat: Topology = {
  name: 'flat',
  shapes: false,
  publish: ({ operations }) => operations,
};
