import { closeSync, openSync, readSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CompiledSource } from '../compiler/compiled-source.ts';
import { checksumFile } from '../files/hash-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { canonicalHash, hashBytes } from '../operations/index.ts';
import { type Details, decodeCompiled, type EncodedSource } from './compiled-codec.ts';

/** Compiled sources kept; the least recently used go first. */
const MAX_ENTRIES = 64;

/** One thing that was read to compile a source. */
export interface CompileInput {
  /** Absolute path or URL. */
  readonly location: string;
  /** `sha256:` of its bytes; absent: it could not be read. */
  readonly hash?: string;
}

interface CacheHeader {
  readonly inputs: readonly CompileInput[];
  readonly indexHash: string;
  /** CRC-32: a cut or a zero-filled file is compiled again. */
  readonly detailsChecksum: number;
  readonly detailsLength: number;
}

/**
 * Compiled sources on disk. The key is what was asked for (settings, compiler version); an entry is used only
 * when every input still has the bytes it was made from. A damaged or missing entry is simply a miss.
 */
export class CompileCache {
  readonly #directory: string;
  readonly #storing = new Set<Promise<void>>();
  /** Closes a details file when no operation can be read from it any more. */
  readonly #closing = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** `current` gives the hash of an input's bytes as they are now, undefined when it cannot be read. */
  async load(
    key: object,
    current: (location: string) => Promise<string | undefined>,
  ): Promise<{ source: CompiledSource; inputs: readonly CompileInput[] } | undefined> {
    const base = this.#base(key);
    try {
      const header = JSON.parse(await readFile(`${base}.json`, 'utf8')) as CacheHeader;
      const content = `${base}-${header.indexHash.slice(7, 23)}`;
      const [index, details, ...hashes] = await Promise.all([
        readFile(`${content}.index`),
        checksumFile(`${content}.details`),
        ...header.inputs.map((input) => current(input.location)),
      ]);
      if (header.inputs.some((input, at) => hashes[at] !== input.hash)) return undefined;
      if (hashBytes(index) !== header.indexHash || details !== header.detailsChecksum) return undefined;
      const source = decodeCompiled(index, this.#details(`${content}.details`, header.detailsLength));
      if (source === undefined) return undefined;
      utimes(`${base}.json`, new Date(), new Date()).catch(() => undefined);
      return { source, inputs: header.inputs };
    } catch {
      return undefined;
    }
  }

  /** Never fails the caller: a cache that cannot be written is no cache. `settled` waits for it. */
  store(key: object, inputs: readonly CompileInput[], encoded: EncodedSource): Promise<void> {
    const storing = this.#store(key, inputs, encoded).finally(() => this.#storing.delete(storing));
    this.#storing.add(storing);
    return storing;
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#storing);
  }

  async #store(key: object, inputs: readonly CompileInput[], encoded: EncodedSource): Promise<void> {
    const base = this.#base(key);
    const header: CacheHeader = {
      inputs,
      indexHash: hashBytes(encoded.index),
      detailsChecksum: crc32(encoded.details),
      detailsLength: encoded.details.length,
    };
    try {
      await makeFolder(this.#directory);
      const content = `${base}-${header.indexHash.slice(7, 23)}`;
      await replaceFile(`${content}.details`, encoded.details);
      await replaceFile(`${content}.index`, encoded.index);
      await replaceFile(`${base}.json`, JSON.stringify(header));
      await this.#evict(content);
    } catch {
      await rm(`${base}.json`, { force: true }).catch(() => undefined);
    }
  }

  #base(key: object): string {
    return join(this.#directory, canonicalHash(key).slice('sha256:'.length, 'sha256:'.length + 32));
  }

  /** Reads spans of a file that stays open as long as something can ask: a replaced entry changes nothing. */
  #details(file: string, length: number): Details {
    const holder = { descriptor: openSync(file, 'r') };
    this.#closing.register(holder, holder.descriptor);
    const read = (offset: number, size: number): string => {
      if (offset + size > length) throw new RangeError('The compile cache entry is damaged.');
      const bytes = Buffer.allocUnsafe(size);
      let read = 0;
      while (read < size) {
        const count = readSync(holder.descriptor, bytes, read, size - read, offset + read);
        if (count === 0) throw new RangeError('The compile cache entry is cut short.');
        read += count;
      }
      return bytes.toString('utf8');
    };
    return { length, read };
  }

  /** Removes what the entry just written replaced, and the oldest entries beyond the limit. */
  async #evict(written: string): Promise<void> {
    const names = await readdir(this.#directory);
    const headers = names.filter((name) => name.endsWith('.json'));
    const aged = await Promise.all(
      headers.map(async (name) => ({
        key: name.slice(0, -'.json'.length),
        used: (await stat(join(this.#directory, name))).mtimeMs,
      })),
    );
    aged.sort((a, b) => b.used - a.used);
    const dropped = new Set(aged.slice(MAX_ENTRIES).map(({ key }) => key));
    const [key] = basename(written).split('-');
    const stale = names.filter((name) => {
      const [owner = ''] = name.split(/[-.]/);
      return (
        dropped.has(owner) || (owner === key && name.includes('-') && !name.startsWith(basename(written)))
      );
    });
    await Promise.all(stale.map((name) => rm(join(this.#directory, name), { force: true })));
  }
}
