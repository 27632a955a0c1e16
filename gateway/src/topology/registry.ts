import { base } from './base.ts';
import { capped } from './capped.ts';
import { categories } from './categories.ts';
import { discover } from './discover.ts';
import { flat } from './flat.ts';
import { hybrid } from './hybrid.ts';
import { search } from './search.ts';
import type { Topology } from './topology.ts';

/** Every topology that a configuration can name. */
export const TOPOLOGIES: Readonly<Record<string, Topology>> = Object.freeze({
  flat,
  hybrid,
  base,
  categories,
  search,
  discover,
  capped,
});
