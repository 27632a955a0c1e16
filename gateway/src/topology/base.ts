import { callTool } from './calling/call-tool.ts';
import { listTool } from './calling/list-tool.ts';
import { schemaTool } from './calling/schema-tool.ts';
import type { Topology } from './topology.ts';

/** Three tools for any number of operations: find, call, read a schema. */
export const base: Topology = {
  name: 'base',
  shapes: true,
  publish: (set, options) => [
    callTool('call_api_endpoint', set, { readsStored: true }),
    schemaTool('get_reference_schema', set),
    listTool('list_api_endpoints', set, options),
  ],
};
