// One process a measurement: node measure.mjs DOCUMENT FOLDER costs | time TOPOLOGY. Prints JSON.

import { createGateway } from '../../gateway/src/index.ts';
import { LOCAL_PRINCIPAL } from '../../gateway/src/operations/index.ts';
import { createTokenCounter } from '../../gateway/src/tokens/index.ts';
import { toolTokens } from '../../gateway/src/topology/given-text.ts';
import { measureFlow } from '../../gateway/src/topology/measuring/measure-flow.ts';
import { typicalOperation } from '../../gateway/src/topology/measuring/typical-operation.ts';
import { TOPOLOGIES } from '../../gateway/src/topology/registry.ts';

const CONTEXT = Object.freeze({
  signal: new AbortController().signal,
  firstShown: () => true,
  activate: async () => false,
  queryStored: () => Promise.reject(new Error('nothing is stored here')),
});

const [document, stateDirectory, what, topology] = process.argv.slice(2);
const gateway = await createGateway(
  {
    name: 'bench',
    topology: 'flat',
    store: 'none',
    watch: false,
    stateDirectory,
    sources: { bench: { openapi: document, prefix: 'none' } },
  },
  {},
);

try {
  console.log(JSON.stringify(what === 'costs' ? await costs() : time()));
} finally {
  await gateway.close();
}

/**
 * Tools made and their definitions written as JSON: for the first caller of a process, whose code is not warm yet, and
 * for another caller who may call the same.
 */
function time() {
  const first = measured(LOCAL_PRINCIPAL);
  const { ms, cpu } = measured({ ...LOCAL_PRINCIPAL, id: 'another', sources: ['bench'] });
  return { ...first, againMs: ms, againCpu: cpu };
}

function measured(principal) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  JSON.stringify(gateway.surface(topology, principal).tools.map(({ tool }) => tool));
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpu: (user + system) / 1000 };
}

async function costs() {
  const count = await createTokenCounter();
  const flat = gateway.surface('flat').tools;
  const typical = typicalOperation(flat);
  const rows = {};
  for (const name of Object.keys(TOPOLOGIES)) {
    const { tools } = gateway.surface(name);
    const flow = typical && (await measureFlow(name, tools, typical, count));
    rows[name] = {
      tools: tools.length,
      tokens: tools.reduce((sum, tool) => sum + toolTokens(tool, count), 0),
      reached: `${(await reached(tools, flat)).size} of ${flat.length}`,
      ...(flow === undefined
        ? {}
        : { search: flow.search, describe: flow.describe, call: flow.call, together: flow.total }),
    };
  }
  return { ...rows, auto: gateway.surface('auto').topologies[0].took };
}

/** Operations that the tools come to when they are asked for each of them. */
async function reached(tools, flat) {
  const found = new Set();
  const resolve = async (tool, args) => {
    const resolution = await tool.resolve(args, CONTEXT);
    if ('operation' in resolution) found.add(`${resolution.operation.source}/${resolution.operation.id}`);
  };
  for (const tool of tools) {
    const { properties = {}, required = [] } = tool.tool.inputSchema;
    if ('load' in tool) found.add(tool.operation);
    else if (properties.action !== undefined)
      for (const action of properties.action.enum) await resolve(tool, { action });
    else if (properties.operation !== undefined && properties.path !== undefined)
      for (const { operation } of flat) await resolve(tool, { operation });
    else if (required.includes('name') && properties.arguments !== undefined)
      for (const { operation } of flat) await resolve(tool, { name: operation });
  }
  return found;
}
