import type { Json, JsonObject } from '../../../operations/index.ts';
import type { DiagnosticLog } from '../diagnostics.ts';

/** A reference that applies to the same value as the definition it stands in. */
export interface InPlaceReference {
  /** `#/$defs/NAME` */
  readonly target: string;
  /** The converted schema that holds it. */
  readonly node: JsonObject;
}

/** One named schema, converted once and shared by every tool that reaches it. */
export interface Definition {
  readonly name: string;
  readonly schema: Json;
  /** Definitions that it names directly. */
  readonly uses: ReadonlySet<string>;
  readonly inPlace: readonly InPlaceReference[];
  readonly pointer: string;
}

/**
 * Cuts references that lead back to where they stand without consuming any data (`A: {allOf: [A]}`): a validator
 * would never return. Depth first without recursion; only fresh definitions can take part in a new loop.
 */
export function breakLoops(
  fresh: readonly Definition[],
  all: ReadonlyMap<string, Definition>,
  log: DiagnosticLog,
): void {
  const done = new Set<string>();
  const open = new Set<string>();
  const known = new Set(fresh.map((definition) => definition.name));
  for (const start of fresh) {
    if (done.has(start.name)) continue;
    const stack = [{ definition: start, next: 0 }];
    open.add(start.name);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = top.definition.inPlace[top.next++];
      if (edge === undefined) {
        open.delete(top.definition.name);
        done.add(top.definition.name);
        stack.pop();
        continue;
      }
      const name = edge.target.slice('#/$defs/'.length);
      const target = all.get(name);
      if (open.has(name)) {
        delete edge.node.$ref;
        const message = `The schema refers to itself through ${name} without an end; the reference is left out.`;
        log.report('schema-loop', 'warning', message, top.definition.pointer);
      } else if (target !== undefined && known.has(name) && !done.has(name)) {
        open.add(name);
        stack.push({ definition: target, next: 0 });
      }
    }
  }
}
