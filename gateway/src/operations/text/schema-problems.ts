import type { z } from 'zod';
import { valueAt } from '../json/pointer.ts';
import type { DocumentPath } from './document-path.ts';

/** Something in a document that cannot stand. `path` leads there from the document's root; `message` is a sentence. */
export interface Problem {
  readonly path: DocumentPath;
  readonly message: string;
  /** A member that has to be there and is not. */
  readonly missing?: true;
}

type Issue = z.core.$ZodIssue;

/** What zod says where a schema has no words of its own. */
const ZODS_OWN = /^Invalid (?:input|option): expected /;
const ZODS_LIMIT = /^Too (?:small|big): expected /;
/** What zod calls otherwise than JSON Schema does. */
const TYPES: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

/** What a schema has against a value, one problem each; of a union the alternative that was meant. `at`: where the value stands in its document. */
export function problemsOf(issues: readonly Issue[], value: unknown, at: DocumentPath = []): Problem[] {
  return issues
    .flatMap((issue) => flatten(issue, value, []))
    .map((problem) => ({ ...problem, path: [...at, ...problem.path] }));
}

function flatten(issue: Issue, root: unknown, parents: DocumentPath): Problem[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path);
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => ({ path, message: sentence(message) }));
  }
  const value = valueAt(root, path.map(String));
  const isAbout = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  if (path.length > 0 && value === undefined && (isAbout || issue.code === 'invalid_union')) {
    return [{ path, message: `"${String(path.at(-1))}" is missing.`, missing: true }];
  }
  // a union with words of its own says it better
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
    const word = wordOfNone(issue.errors);
    if (word !== undefined) {
      const at = [...path, ...word.path];
      return [{ path: at, message: expected(word.wanted, valueAt(root, at.map(String))) }];
    }
    const branches = issue.errors.map((branch) => branch.flatMap((inner) => flatten(inner, root, path)));
    const meant = meantBranch(issue.errors, branches);
    return meant ?? [{ path, message: expected(wantedByAny(issue.errors), value) }];
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    return [{ path, message: ZODS_LIMIT.test(issue.message) ? beyond(issue) : sentence(issue.message) }];
  }
  if (isAbout && ZODS_OWN.test(issue.message)) return [{ path, message: expected(wantedBy(issue), value) }];
  return [{ path, message: sentence(issue.message) }];
}

/** A schema that names the nearest key says so on a line for each. */
function unknownKeys({ keys, message }: z.core.$ZodIssueUnrecognizedKeys, path: DocumentPath): Problem[] {
  const own = message.split('\n').filter((line) => line.startsWith('Unknown key'));
  return keys.map((key, index) => ({
    path: [...path, key],
    message: own[index] ?? `Unknown key "${key}".`,
  }));
}

/**
 * The alternative whose type fits: it complains about something other than the value's own type, best about nothing that
 * is missing, else about none of its words.
 */
function meantBranch(
  issues: readonly (readonly Issue[])[],
  problems: readonly (readonly Problem[])[],
): Problem[] | undefined {
  const fits = (index: number) => !issues[index]!.some(isOfTheWhole);
  const hasAll = (index: number) => !problems[index]!.some(({ missing }) => missing);
  const hasItsWords = (index: number) => !issues[index]!.some(isOfAWord);
  const fitting = [...problems.keys()].filter(fits);
  const meant = fitting.find(hasAll) ?? fitting.find(hasItsWords) ?? fitting[0];
  return meant === undefined ? undefined : [...problems[meant]!];
}

/** The member by whose word the alternatives are told apart, where it says none of theirs. */
function wordOfNone(
  issues: readonly (readonly Issue[])[],
): { readonly path: DocumentPath; readonly wanted: readonly string[] } | undefined {
  const [first = []] = issues;
  for (const { path } of first.filter(isOfAWord)) {
    const at = path.join('.');
    const same = issues.map((branch) => branch.find((one) => isOfAWord(one) && one.path.join('.') === at));
    if (same.every((one) => one !== undefined))
      return { path: path as DocumentPath, wanted: same.flatMap(wantedBy) };
  }
  return undefined;
}

function isOfAWord({ code, path }: Issue): boolean {
  return code === 'invalid_value' && path.length > 0;
}

/** Complains about the type of the value as a whole, or about the only words that it may be. */
function isOfTheWhole(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code !== 'invalid_union') return issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return issue.errors.every((branch) => branch.some(isOfTheWhole));
}

/** Types and words that would do, and what is there instead where it is none of the types. */
export function expected(wanted: readonly string[], value: unknown): string {
  const [last, ...others] = [...new Set(wanted)].reverse();
  const either = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  if (wanted.every(isWord)) return `Expected ${either}.`;
  // YAML 1.1 took these for switches, 1.2 does not
  const isSwitch = wanted.includes('boolean') && /^(?:yes|no|on|off|true|false)$/i.test(String(value));
  return `Expected ${either}, received ${typeOf(value)}.${isSwitch ? ' Write true or false, without quotes.' : ''}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

/** What a number, or the length of something else, is beyond. */
function beyond(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [word, limit] =
    issue.code === 'too_small'
      ? [issue.inclusive === false ? 'more than' : 'at least', issue.minimum]
      : [issue.inclusive === false ? 'less than' : 'at most', issue.maximum];
  if (issue.origin === 'array') return `Must have ${word} ${limit} ${limit === 1 ? 'entry' : 'entries'}.`;
  return `Must ${issue.origin === 'string' ? 'have' : 'be'} ${word} ${limit}${issue.origin === 'string' ? ' characters' : ''}.`;
}

function isWord(wanted: string): boolean {
  return /^["\d]|^(?:true|false|null)$/.test(wanted);
}

function wantedBy(issue: Issue | undefined): readonly string[] {
  if (issue?.code === 'invalid_type') return [TYPES[issue.expected] ?? issue.expected];
  if (issue?.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value));
  return issue?.code === 'invalid_union' ? wantedByAny(issue.errors) : [];
}

function wantedByAny(branches: readonly (readonly Issue[])[]): readonly string[] {
  return branches.flatMap((branch) => wantedBy(branch.find(isOfTheWhole)));
}

function sentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`;
}
