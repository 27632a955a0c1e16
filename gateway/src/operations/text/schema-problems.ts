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
    return issue.issues.map((inner) => ({ path, message: sentence(inner.message) }));
  }
  const value = valueAt(root, path.map(String));
  const isAbout = issue.code === 'invalid_type' || issue.code === 'invalid_value';
  if (path.length > 0 && value === undefined && (isAbout || issue.code === 'invalid_union')) {
    return [{ path, message: `"${String(path.at(-1))}" is missing.`, missing: true }];
  }
  // a union with words of its own says it better
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
    const branches = issue.errors.map((branch) => branch.flatMap((inner) => flatten(inner, root, path)));
    const meant = meantBranch(issue.errors, branches);
    return meant ?? [{ path, message: noBranch(issue.errors) }];
  }
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

/** The alternative whose type fits: it complains about something other than the value's own type, best about nothing that is missing. */
function meantBranch(
  issues: readonly (readonly Issue[])[],
  problems: readonly (readonly Problem[])[],
): Problem[] | undefined {
  const fitting = problems.filter((_, index) => !issues[index]!.some(isOfTheWhole));
  const meant = fitting.find((branch) => !branch.some(({ missing }) => missing)) ?? fitting[0];
  return meant && [...meant];
}

/** Complains about the type of the value as a whole, or about the only words that it may be. */
function isOfTheWhole(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code !== 'invalid_union') return issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return issue.errors.every((branch) => branch.some(isOfTheWhole));
}

/** Where each alternative wants another type or word, all of them are named. */
function noBranch(branches: readonly (readonly Issue[])[]): string {
  return `Expected ${[...new Set(branches.flatMap(wantedBy))].join(' or ')}.`;
}

function wantedBy(branch: readonly Issue[]): readonly string[] {
  const issue = branch.find(isOfTheWhole);
  if (issue?.code === 'invalid_union') return issue.errors.flatMap(wantedBy);
  if (issue?.code === 'invalid_type') return [TYPES[issue.expected] ?? issue.expected];
  return issue?.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
}

/** Zod's words without what goes before them; those of a schema as they are. */
function sentence(message: string): string {
  const plain = message.replace(/^Invalid (?:input|option): e(xpected) (\w+)/, (_, rest, type) => {
    return `E${rest} ${TYPES[type] ?? type}`;
  });
  return /[.?!]$/.test(plain) ? plain : `${plain}.`;
}
