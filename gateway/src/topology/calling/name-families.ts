import { firstFew } from '../../operations/text/first-few.ts';

/** Several names told as one. */
export interface NameFamily {
  /** One name, or `where.{title, year}.{eq, gt, lt}` for all that it stands for. */
  readonly text: string;
  readonly names: number;
}

/** Each for itself. */
export function singleNames(names: readonly string[]): NameFamily[] {
  return names.map((text) => ({ text, names: 1 }));
}

/** Names that have all but their last step in common. */
interface Stem {
  readonly name: string;
  readonly separator: string;
  readonly suffixes: string[];
}

/** Names of one stem that are a family. */
const FEWEST = 3;
/** Stems, and suffixes, that are named. */
const MOST = 14;
/** The last step says how a field is compared: `year.gt`, `year__gt`. */
const STEPS = /^(.*[^._])(\.|__)([^._].*)$/;

/**
 * Filters of many fields by many comparisons, as Platformatic (`where.title.eq`) and NetBox (`title__ic`) have them,
 * would fill a list of names with those of the first field. They stand as one, behind all other names.
 */
export function nameFamilies(names: readonly string[]): NameFamily[] {
  const stems = new Map<string, Stem>();
  for (const name of names) {
    const [, stem, separator, suffix] = STEPS.exec(name) ?? [];
    if (stem === undefined || separator === undefined || suffix === undefined) continue;
    const key = stem + separator;
    const known = stems.get(key) ?? { name: stem, separator, suffixes: [] };
    known.suffixes.push(suffix);
    stems.set(key, known);
  }
  const families = [...stems.values()].filter(({ suffixes }) => suffixes.length >= FEWEST);
  const within = new Set(
    families.flatMap(({ name, separator, suffixes }) => suffixes.map((one) => name + separator + one)),
  );
  const alone = singleNames(names.filter((name) => !within.has(name)));
  return [...alone, ...alike(families).map(together)];
}

/** Stems of one object whose fields are compared alike. */
function alike(stems: readonly Stem[]): Stem[][] {
  const groups = new Map<string, Stem[]>();
  for (const stem of stems) {
    const key = JSON.stringify([ownerOf(stem), stem.separator, stem.suffixes]);
    groups.set(key, [...(groups.get(key) ?? []), stem]);
  }
  return [...groups.values()];
}

function together(stems: readonly Stem[]): NameFamily {
  const [first] = stems as [Stem];
  const owner = ownerOf(first);
  const fields = stems.map(({ name }) => name.slice(owner.length));
  const field = fields.length === 1 ? fields[0] : `{${firstFew(fields, MOST)}}`;
  const text = `${owner}${field}${first.separator}{${firstFew(first.suffixes, MOST)}}`;
  return { text, names: stems.length * first.suffixes.length };
}

/** `where.` of `where.title`. */
function ownerOf({ name, separator }: Stem): string {
  const end = name.lastIndexOf(separator);
  return end < 0 ? '' : name.slice(0, end + separator.length);
}

/** How many names these are. */
export function namesOf(families: readonly NameFamily[]): number {
  return families.reduce((sum, { names }) => sum + names, 0);
}
