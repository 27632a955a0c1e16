import type { JsonSchema, PublishedTool, Tool, VisibleOperation } from '../../operations/index.ts';
import type { OperationSet, TopologyTool } from '../topology.ts';

/** What a topology's own tool is made of; its definition is built when it is first read. */
export interface OwnTool {
  readonly name: string;
  readonly operations: readonly VisibleOperation[];
  readonly define: () => Omit<Tool, 'name'>;
  readonly resolve: TopologyTool['resolve'];
  readonly advise?: TopologyTool['advise'];
}

export function ownTool({ name, operations, define, resolve, advise }: OwnTool): TopologyTool {
  let tool: Tool | undefined;
  let reaches: readonly string[] | undefined;
  return {
    name,
    get tool() {
      tool ??= { name, ...define() };
      return tool;
    },
    get reaches() {
      reaches ??= operations.map(({ operation }) => operation);
      return reaches;
    },
    resolve,
    ...(advise === undefined ? {} : { advise }),
  };
}

/** `wanted`, numbered where an operation's own tool has that name. */
export function freeName(wanted: string, set: OperationSet, taken: ReadonlySet<string> = new Set()): string {
  let name = wanted;
  const isTaken = () => taken.has(name) || set.taken?.has(name) === true || set.find(name)?.name === name;
  for (let round = 2; isTaken(); round++) name = `${wanted}_${round}`;
  return name;
}

/** In the order of their names, as every list of tools is. */
export function sortedByName(tools: readonly PublishedTool[]): readonly PublishedTool[] {
  return [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function objectSchema(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required: [...required] }),
    additionalProperties: false,
  };
}

/** Says something about operations and changes nothing. */
export const READS_ONLY: Tool['annotations'] = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

/** As harmful as the most harmful operation that the tool leads to. */
export function annotationsOf(operations: readonly VisibleOperation[]): Tool['annotations'] {
  const readOnlyHint = operations.every(({ facts }) => facts.access === 'read');
  const writes = operations.filter(({ facts }) => facts.access !== 'read');
  const destructiveHint = writes.some(({ facts }) => facts.safety.destructive);
  const isUnknown = !destructiveHint && writes.some(({ facts }) => facts.safety.destructiveUnknown);
  return {
    readOnlyHint,
    ...(isUnknown ? {} : { destructiveHint }),
    idempotentHint: operations.every(({ facts }) => facts.access === 'read' || facts.safety.idempotent),
    openWorldHint: operations.some(({ facts }) => facts.safety.openWorld),
  };
}
