import { createHash } from 'node:crypto';

/** Vectors by the hash of their text; the least recently used one leaves first. */
export class VectorCache {
  readonly #limit: number;
  readonly #vectors = new Map<string, Float32Array>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#vectors.size;
  }

  get(text: string): Float32Array | undefined {
    const key = hashOf(text);
    const vector = this.#vectors.get(key);
    if (vector === undefined) return undefined;
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    return vector;
  }

  set(text: string, vector: Float32Array): void {
    if (this.#limit < 1) return;
    const key = hashOf(text);
    this.#vectors.delete(key);
    while (this.#vectors.size >= this.#limit) {
      const [oldest] = this.#vectors.keys();
      this.#vectors.delete(oldest!);
    }
    this.#vectors.set(key, vector);
  }

  clear(): void {
    this.#vectors.clear();
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
