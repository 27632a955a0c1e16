import { isObject, type JsonSchema } from '../../operations/index.ts';
import type { OperationSet } from '../topology.ts';

/** A named schema that operations of a set refer to. */
export interface Definition {
  readonly name: string;
  readonly source: string;
  readonly schema: JsonSchema;
  /** Where its own references lead. */
  readonly root: JsonSchema;
}

const DEFINITIONS = new WeakMap<OperationSet, ReadonlyMap<string, readonly Definition[]>>();

/** Named schemas by name, one of each source, from the operations of the set and no others; read when first asked for. */
export function definitionsOf(set: OperationSet): ReadonlyMap<string, readonly Definition[]> {
  let definitions = DEFINITIONS.get(set);
  if (definitions === undefined) {
    definitions = collect(set);
    DEFINITIONS.set(set, definitions);
  }
  return definitions;
}

function collect({ operations }: OperationSet): ReadonlyMap<string, readonly Definition[]> {
  const byName = new Map<string, Definition[]>();
  for (const operation of operations) {
    const { source } = operation;
    const { input, output } = operation.load();
    for (const root of [input, output]) {
      if (root === undefined || !isObject(root['$defs'])) continue;
      for (const [name, schema] of Object.entries(root['$defs'])) {
        const known = byName.get(name) ?? [];
        if (!isObject(schema) || known.some((one) => one.source === source)) continue;
        byName.set(name, [...known, { name, source, schema, root }]);
      }
    }
  }
  return byName;
}
