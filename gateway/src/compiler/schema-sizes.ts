import type { Json } from '../operations/index.ts';

/** JSON sizes in characters, measured once per shared sub-schema. */
export class SchemaSizes {
  readonly #known = new Map<object, number>();

  /** Whether a value is larger than a limit, without measuring all of one that is. */
  exceeds(value: Json, limit: number): boolean {
    const known = value !== null && typeof value === 'object' ? this.#known.get(value) : undefined;
    if (known !== undefined) return known > limit;
    let left = limit;
    const stack: Json[] = [value];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node === null || typeof node !== 'object') left -= typeof node === 'string' ? node.length + 2 : 5;
      else if (Array.isArray(node)) {
        left -= 2 + node.length;
        for (const item of node) stack.push(item);
      } else {
        left -= 2;
        for (const key in node) {
          left -= key.length + 4;
          stack.push(node[key]!);
        }
      }
      if (left < 0) return true;
    }
    return false;
  }

  of(value: Json | undefined): number {
    if (value === undefined) return 0;
    if (value === null || typeof value !== 'object') return typeof value === 'string' ? value.length + 2 : 5;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    let size = 2;
    let isNested = false;
    if (Array.isArray(value)) {
      for (const item of value) {
        isNested ||= isContainer(item);
        size += this.of(item) + 1;
      }
    } else {
      for (const key in value) {
        const member = value[key]!;
        isNested ||= isContainer(member);
        size += key.length + 4 + this.of(member);
      }
    }
    // what holds no other is measured again sooner than it is remembered
    if (isNested) this.#known.set(value, size);
    return size;
  }
}

function isContainer(value: Json): boolean {
  return value !== null && typeof value === 'object';
}
