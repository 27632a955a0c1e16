import { flat } from './flat.ts';
import type { Topology } from './topology.ts';

/** Every topology that a configuration can name. */
export const TOPOLOGIES: Readonly<Record<string, Topology>> = Object.freeze({ flat });
