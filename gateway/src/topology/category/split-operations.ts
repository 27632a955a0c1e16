import type { VisibleOperation } from '../../operations/index.ts';
import { wordsOf } from '../../operations/text/words.ts';
import { literalsOf } from './assign-category.ts';
import { nameOf } from './category.ts';

/** Actions of one tool. */
export const MOST_ACTIONS = 40;
/** Characters that the names of one tool's actions may have together. */
const NAME_CHARACTERS = 2400;

/** A part of a category, small enough for one tool. */
export interface Part {
  /** Behind the category's name; empty for the part that holds what is general. */
  readonly suffix: string;
  readonly operations: readonly VisibleOperation[];
}

interface Group {
  /** Undefined: nothing tells its operations from the category as a whole. */
  readonly word: string | undefined;
  readonly operations: readonly VisibleOperation[];
}

/** How a category is cut where it does not fit one tool. */
export interface SplitOptions {
  /** The word of an operation at a depth; undefined: it has no more. Default: the words of its path. */
  readonly wordAt?: (operation: VisibleOperation, depth: number) => string | undefined;
  /** The category's own name: where a path begins with it, that says nothing. */
  readonly own?: string;
}

/** One part where the operations fit one tool; else by the words of their paths, so that what belongs together stays so. */
export function splitOperations(
  operations: readonly VisibleOperation[],
  { wordAt = pathWord, own = '' }: SplitOptions = {},
): readonly Part[] {
  if (fitsOneTool(operations)) return [{ suffix: '', operations }];
  const groups = groupsOf(operations, wordAt, 0);
  return named(pack(groups.map((group) => ({ ...group, word: withoutOwn(group.word, own) }))));
}

function withoutOwn(word: string | undefined, own: string): string | undefined {
  if (word === own) return undefined;
  return word?.startsWith(`${own}_`) ? word.slice(own.length + 1) : word;
}

/** The word of its path at a depth, placeholders left out; an operation without a path goes by its id. */
function pathWord({ facts: { http, id } }: VisibleOperation, depth: number): string | undefined {
  return (http === undefined ? wordsOf(id) : literalsOf(http.path))[depth];
}

function fitsOneTool(operations: readonly VisibleOperation[]): boolean {
  return fits(sizeOf(operations));
}

/** What operations take of one tool; sizes add up, so that tens of thousands are not counted again and again. */
interface Size {
  readonly actions: number;
  readonly characters: number;
}

function sizeOf(operations: readonly VisibleOperation[]): Size {
  let characters = 0;
  for (const { facts, name } of operations) characters += Math.min(facts.id.length, name.length);
  return { actions: operations.length, characters };
}

function together(a: Size, b: Size): Size {
  return { actions: a.actions + b.actions, characters: a.characters + b.characters };
}

function fits({ actions, characters }: Size): boolean {
  return actions <= MOST_ACTIONS && characters <= NAME_CHARACTERS;
}

/** Share of one tool. */
function shareOf({ actions, characters }: Size): number {
  return Math.max(actions / MOST_ACTIONS, characters / NAME_CHARACTERS);
}

/** Groups that each fit one tool. */
function groupsOf(
  operations: readonly VisibleOperation[],
  wordAt: (operation: VisibleOperation, depth: number) => string | undefined,
  depth: number,
  before: readonly string[] = [],
): Group[] {
  const word = before.length === 0 ? undefined : before.join('_');
  if (fitsOneTool(operations)) return [{ word, operations }];
  const byWord = Map.groupBy(operations, (operation) => wordAt(operation, depth));
  if (byWord.size === 1) {
    const [only] = byWord.keys();
    return only === undefined ? chunks(operations, word) : groupsOf(operations, wordAt, depth + 1, before);
  }
  return [...byWord].flatMap(([next, members]) => {
    if (next !== undefined) return groupsOf(members, wordAt, depth + 1, [...before, nameOf(next)]);
    return fitsOneTool(members) ? [{ word, operations: members }] : chunks(members, word);
  });
}

/** Operations that no word tells apart, in their order. */
function chunks(operations: readonly VisibleOperation[], word: string | undefined): Group[] {
  const groups: Group[] = [];
  let members: VisibleOperation[] = [];
  let size: Size = sizeOf(members);
  for (const operation of operations) {
    const own = sizeOf([operation]);
    if (members.length > 0 && !fits(together(size, own))) {
      groups.push({ word, operations: members });
      members = [];
      size = sizeOf(members);
    }
    members.push(operation);
    size = together(size, own);
  }
  return [...groups, { word, operations: members }];
}

/** First fit, the largest first: as few tools as there can be, and no group in two of them. */
function pack(groups: readonly Group[]): readonly (readonly Group[])[] {
  const ordered = groups
    .map((group) => ({ group, size: sizeOf(group.operations) }))
    .sort((a, b) => shareOf(b.size) - shareOf(a.size));
  const bins: Array<{ readonly groups: Group[]; size: Size }> = [];
  for (const { group, size } of ordered) {
    const room = bins.find((bin) => fits(together(bin.size, size)));
    if (room === undefined) bins.push({ groups: [group], size });
    else {
      room.groups.push(group);
      room.size = together(room.size, size);
    }
  }
  return bins.map(({ groups: members }) => members);
}

/**
 * What is general is called by the category's name alone, a group by its word; mixed ones take the name that is left,
 * else the word of their largest group. The part without a suffix comes first.
 */
function named(bins: readonly (readonly Group[])[]): readonly Part[] {
  const suffixes = new Map<readonly Group[], string>();
  const taken = new Set<string>();
  const name = (bin: readonly Group[], wanted: string) => {
    let suffix = wanted;
    for (let round = 2; taken.has(suffix); round++)
      suffix = wanted === '' ? `${round}` : `${wanted}_${round}`;
    taken.add(suffix);
    suffixes.set(bin, suffix);
  };
  const ordered = [...bins].sort((a, b) => rankOf(a) - rankOf(b));
  for (const bin of ordered) {
    const word = bin[0]!.word ?? '';
    name(bin, bin.length > 1 && !taken.has('') ? '' : word);
  }
  return bins
    .map((bin) => ({ suffix: suffixes.get(bin)!, operations: bin.flatMap(({ operations }) => operations) }))
    .sort((a, b) => Number(b.suffix === '') - Number(a.suffix === ''));
}

/** Parts that hold something general are named first, mixed ones last. */
function rankOf(bin: readonly Group[]): number {
  if (bin.some(({ word }) => word === undefined)) return 0;
  return bin.length === 1 ? 1 : 2;
}
