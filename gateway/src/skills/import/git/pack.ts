import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import { GIT_LIMITS } from '../import-limits.ts';
import { refused } from '../refuse.ts';
import { applyDelta } from './apply-delta.ts';
import { type PackedObject, readHeader } from './pack-header.ts';

/** One object of a repository. */
export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly content: Buffer;
}

/** The objects of a pack by their ids. */
export interface GitObjects {
  /** Throws `archive_refused` where the pack has no such object. */
  read(id: string): GitObject;
}

/** Objects after which others get their turn. */
const TURN = 200;
const TRAILER = 20;

/**
 * Unpacks a pack once, to learn the ids of its objects; contents are unpacked again when they are read. What comes out
 * is counted before memory is taken for it. Rejects with `archive_refused`.
 */
export async function openPack(pack: Buffer, signal: AbortSignal): Promise<GitObjects> {
  const end = pack.length - TRAILER;
  if (end < 12 || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2)
    throw refused('The git server sent no pack.');
  if (!createHash('sha1').update(pack.subarray(0, end)).digest().equals(pack.subarray(end)))
    throw refused('The pack of the git server is damaged.');
  const count = pack.readUInt32BE(8);
  if (count > GIT_LIMITS.objects)
    throw refused(`The repository has more than ${GIT_LIMITS.objects} objects.`);
  const budget = createBudget();
  const objects = await scan(pack, count, end, budget, signal);
  const ids = await identify(pack, objects, budget, signal);
  const reading = createBudget();
  return {
    read(id) {
      const object = ids.get(id);
      if (object === undefined) throw refused('The git server left out an object of the commit.');
      return unpackWhole(pack, object, objects, ids, reading);
    },
  };
}

type Budget = (bytes: number) => void;

/** Counts what was unpacked, and a little for each object, so that chains of small ones end, too. */
function createBudget(): Budget {
  let used = 0;
  return (bytes) => {
    used += bytes + 64;
    if (used > GIT_LIMITS.packedOutBytes)
      throw refused(`The repository unpacks to more than ${GIT_LIMITS.packedOutBytes} bytes.`);
  };
}

type Packed = ReadonlyMap<number, PackedObject>;

/** Every object by where it begins. Its packed length is known only once it is unpacked. */
async function scan(pack: Buffer, count: number, end: number, budget: Budget, signal: AbortSignal) {
  const objects = new Map<number, PackedObject>();
  let at = 12;
  for (let index = 0; index < count; index++) {
    if (index % TURN === 0) await turn(signal);
    const header = readHeader(pack, at, end);
    if (header.size > GIT_LIMITS.objectBytes) throw refused('An object of the repository is too large.');
    if (typeof header.base === 'number' && !objects.has(header.base))
      throw refused('The pack of the git server is malformed.');
    budget(header.size);
    const { length } = inflate(pack, header);
    objects.set(at, header);
    at = header.data + length;
    if (at > end) throw refused('The pack of the git server ends too early.');
  }
  if (at !== end) throw refused('The pack of the git server has bytes that belong to no object.');
  return objects;
}

/** Ids are hashes of contents: deltas are applied from their bases outwards, each once. */
async function identify(pack: Buffer, objects: Packed, budget: Budget, signal: AbortSignal) {
  const ids = new Map<string, PackedObject>();
  const onto = new Map<number | string, PackedObject[]>();
  for (const object of objects.values()) {
    if (object.base === undefined) continue;
    const list = onto.get(object.base);
    if (list === undefined) onto.set(object.base, [object]);
    else list.push(object);
  }
  let done = 0;
  const waiting: Array<() => { object: PackedObject; whole: GitObject }> = [];
  const settle = (object: PackedObject, whole: GitObject) => {
    const id = createHash('sha1')
      .update(`${whole.type} ${whole.content.length}\0`)
      .update(whole.content)
      .digest('hex');
    ids.set(id, object);
    for (const above of [...(onto.get(object.start) ?? []), ...(onto.get(id) ?? [])])
      waiting.push(() => ({ object: above, whole: overlaid(pack, above, whole, budget) }));
  };
  for (const object of objects.values()) {
    if (object.type === 'delta') continue;
    settle(object, { type: object.type, content: inflate(pack, object).content });
    for (let work = waiting.pop(); work !== undefined; work = waiting.pop()) {
      const { object: above, whole } = work();
      settle(above, whole);
      if (done++ % TURN === 0) await turn(signal);
    }
    if (done++ % TURN === 0) await turn(signal);
  }
  return ids;
}

function overlaid(pack: Buffer, object: PackedObject, base: GitObject, budget: Budget): GitObject {
  const content = applyDelta(base.content, inflate(pack, object).content, GIT_LIMITS.objectBytes);
  budget(content.length);
  return { type: base.type, content };
}

function unpackWhole(
  pack: Buffer,
  object: PackedObject,
  objects: Packed,
  ids: ReadonlyMap<string, PackedObject>,
  budget: Budget,
): GitObject {
  const deltas: PackedObject[] = [];
  let base = object;
  while (base.type === 'delta') {
    deltas.push(base);
    const below = typeof base.base === 'number' ? objects.get(base.base) : ids.get(base.base!);
    if (below === undefined || deltas.length > objects.size)
      throw refused('The pack of the git server is malformed.');
    base = below;
  }
  budget(base.size);
  const bottom: GitObject = { type: base.type, content: inflate(pack, base).content };
  return deltas.reduceRight<GitObject>((whole, delta) => overlaid(pack, delta, whole, budget), bottom);
}

/** Exactly as many bytes as the header says, and how many they were packed. */
function inflate(pack: Buffer, { data, size }: PackedObject): { content: Buffer; length: number } {
  try {
    const { buffer, engine } = inflateSync(pack.subarray(data), {
      maxOutputLength: Math.max(size, 1),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (buffer.length === size) return { content: buffer, length: engine.bytesWritten };
  } catch (error) {
    throw refused('An object of the repository cannot be unpacked.', undefined, error);
  }
  throw refused('An object of the repository has another size than it says.');
}

async function turn(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
