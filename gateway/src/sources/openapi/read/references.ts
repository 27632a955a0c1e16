import { isObject, type JsonObject, parsePointer, valueAt } from '../../../operations/index.ts';

/** What a reference points at. `pointer` is `#/…` in the main document, `URL#/…` in another. */
export interface Target {
  readonly node: unknown;
  readonly pointer: string;
}

const MAX_HOPS = 50;

/**
 * Resolves references among the documents that were loaded. References of documents other than the main one are
 * absolute by then (see load-documents.ts), so that a reference means the same wherever it stands.
 */
export class References {
  readonly #main: unknown;
  readonly #others: ReadonlyMap<string, unknown>;
  readonly #absolute: (reference: string) => string;
  readonly #resolved = new Map<string, Target | undefined>();
  readonly #anchors = new Map<unknown, Map<string, Target>>();
  #extended: ReadonlyMap<string, ReadonlySet<unknown>> | undefined;

  constructor(main: unknown, others: ReadonlyMap<string, unknown>, absolute: (reference: string) => string) {
    this.#main = main;
    this.#others = others;
    this.#absolute = absolute;
  }

  /** One step; undefined where nothing is found. */
  resolve(reference: string): Target | undefined {
    if (this.#resolved.has(reference)) return this.#resolved.get(reference);
    const target = this.#find(reference);
    this.#resolved.set(reference, target);
    return target;
  }

  /** `$dynamicRef`: true where several schemas have the anchor, so that it depends on the way to it which is meant. */
  isOpen(reference: string): boolean {
    const anchor = reference.slice(reference.indexOf('#') + 1);
    this.#extended ??= dynamicAnchors([this.#main, ...this.#others.values()]);
    return (this.#extended.get(anchor)?.size ?? 0) > 1;
  }

  /** Through Reference Objects to the first node that is none; undefined where the chain is broken or circular. */
  follow(node: unknown, pointer: string): Target | undefined {
    let current: Target = { node, pointer };
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (!isObject(current.node) || typeof current.node.$ref !== 'string') return current;
      const next = this.resolve(current.node.$ref);
      if (next === undefined) return undefined;
      current = next;
    }
    return undefined;
  }

  /** The object behind a node, or undefined. */
  object(
    node: unknown,
    pointer: string,
  ): { readonly node: JsonObject; readonly pointer: string } | undefined {
    const target = this.follow(node, pointer);
    return target !== undefined && isObject(target.node)
      ? { node: target.node, pointer: target.pointer }
      : undefined;
  }

  #find(reference: string): Target | undefined {
    const absolute = reference.startsWith('#') ? reference : this.#absolute(reference);
    const hash = absolute.indexOf('#');
    const document = hash < 0 ? absolute : absolute.slice(0, hash);
    const fragment = hash < 0 ? '' : absolute.slice(hash + 1);
    const root = document === '' ? this.#main : this.#others.get(document);
    if (root === undefined) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) return this.#anchor(root, document, fragment);
    for (const path of [decode(fragment), fragment]) {
      const node = valueAt(root, parsePointer(path) ?? ['']);
      if (node !== undefined) return { node, pointer: `${document}#${fragment}` };
    }
    return undefined;
  }

  /**
   * `$anchor` and `$dynamicAnchor` (JSON Schema 2020-12 §8.2.2), indexed when the first one is asked for. Those of a
   * schema with an `$id` of its own count where there is no other.
   */
  #anchor(root: unknown, document: string, name: string): Target | undefined {
    let index = this.#anchors.get(root);
    if (index === undefined) {
      index = new Map();
      this.#anchors.set(root, index);
      const lent = new Map<string, Target>();
      for (const { node, nested } of objectsBelow(root)) {
        for (const key of ['$anchor', '$dynamicAnchor']) {
          const anchor = node[key];
          const known = nested ? lent : index;
          if (typeof anchor === 'string') known.set(anchor, { node, pointer: `${document}#${anchor}` });
        }
      }
      for (const [anchor, target] of lent) if (!index.has(anchor)) index.set(anchor, target);
    }
    return index.get(name);
  }
}

function dynamicAnchors(roots: readonly unknown[]): Map<string, Set<unknown>> {
  const anchors = new Map<string, Set<unknown>>();
  for (const root of roots) {
    for (const { node } of objectsBelow(root)) {
      const anchor = node.$dynamicAnchor;
      if (typeof anchor === 'string') anchors.set(anchor, (anchors.get(anchor) ?? new Set()).add(node));
    }
  }
  return anchors;
}

/** Every object once; `nested`: below the root it stands in a schema with an `$id`. */
function* objectsBelow(root: unknown): Iterable<{ readonly node: JsonObject; readonly nested: boolean }> {
  const seen = new Set<unknown>();
  const pending: { value: unknown; nested: boolean }[] = [{ value: root, nested: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value } = next;
    if (value === null || typeof value !== 'object' || seen.has(value)) continue;
    seen.add(value);
    const nested = next.nested || (value !== root && typeof (value as JsonObject).$id === 'string');
    if (isObject(value)) yield { node: value, nested };
    for (const child of Object.values(value)) pending.push({ value: child, nested });
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
