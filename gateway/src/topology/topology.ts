import type { PublishedTool } from '../operations/index.ts';

/** The operations that a principal may call, as their flat tools, sorted by name. */
export interface OperationSet {
  readonly tools: readonly PublishedTool[];
}

/** Turns what a principal may call into what a client sees. Pure. */
export interface Topology {
  readonly name: string;
  publish(view: OperationSet): readonly PublishedTool[];
}
