import {
  type Node,
  type RawOperation,
  slotsOf,
  type Value,
} from '../../azure-seed/expectations/expected-envelope.ts';
import { isInternal, isNode, kindOf, merged, nodeOf } from '../../azure-seed/expectations/raw-swagger.ts';

/** An argument, or a place within one, about which another operation is asked; read from the document alone. */
export interface DynamicUse {
  /** JSON Pointer into the arguments; `*` is every item of a list, empty the arguments together. */
  readonly argument: string;
  readonly kind: 'list' | 'tree' | 'schema';
  readonly node: Node;
}

/** Every use in what callers of an operation are asked for. */
export function dynamicUses(swagger: Node, operation: RawOperation): DynamicUse[] {
  const uses: DynamicUse[] = [];
  const slots = slotsOf(swagger, operation).filter(({ argument }) => argument !== undefined);
  for (const { argument, node } of slots) visit(node, `/${escaped(argument!)}`, []);
  const declared = operation.parameters.find((one) => one.in === 'body');
  const whole = slots.some(({ place, wire }) => place === 'body' && wire === '');
  const schema = merged(swagger, declared?.schema);
  if (declared !== undefined && !whole && kindIn(schema) === 'schema')
    uses.push({ argument: '', kind: 'schema', node: schema });
  return uses;

  function visit(given: unknown, pointer: string, above: readonly unknown[]): void {
    const identity = nodeOf(given).$ref ?? given;
    if (above.includes(identity)) return;
    const node = merged(swagger, given);
    const kind = kindIn(node);
    const list = kindOf(node) === 'array';
    if (kind !== undefined)
      uses.push({ argument: list && kind !== 'schema' ? `${pointer}/*` : pointer, kind, node });
    const below = [...above, identity];
    if (list && isNode(node.items)) visit(node.items, `${pointer}/*`, below);
    for (const [name, property] of Object.entries(nodeOf(node.properties))) {
      const own = merged(swagger, property);
      if (own.readOnly !== true && !isInternal(own)) visit(property, `${pointer}/${escaped(name)}`, below);
    }
  }
}

function kindIn(node: Node): DynamicUse['kind'] | undefined {
  const values = nodeOf(node['x-ms-dynamic-values']);
  if (isAsked(node['x-ms-dynamic-list'])) return 'list';
  if (isNode(node['x-ms-dynamic-tree'])) return 'tree';
  if (typeof values.capability === 'string') return 'tree';
  if (isAsked(values)) return 'list';
  return isNode(node['x-ms-dynamic-properties']) || isNode(node['x-ms-dynamic-schema'])
    ? 'schema'
    : undefined;
}

/** `builtInOperation` names a list that only Microsoft's designers have: no connector can be asked for it. */
const isAsked = (extension: unknown): boolean => typeof nodeOf(extension).operationId === 'string';

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A copy of the arguments with another value at a pointer, in every item where it has `*`. Undefined: there is no such place. */
export function withValue(args: Value, pointer: string, value: (old: Value) => Value): Value | undefined {
  const [first, ...rest] = pointer.split('/').slice(1);
  if (first === undefined) return value(args);
  const below = rest.map((token) => `/${token}`).join('');
  const change = (old: Value): Value | undefined => withValue(old, below, value);
  if (Array.isArray(args)) {
    const items = (args as readonly Value[]).map(change);
    return first === '*' && items.length > 0 && !items.includes(undefined) ? (items as Value[]) : undefined;
  }
  const name = first.replaceAll('~1', '/').replaceAll('~0', '~');
  if (!isNode(args) || args[name] === undefined) return undefined;
  const changed = change(args[name]);
  return changed === undefined ? undefined : { ...args, [name]: changed };
}
