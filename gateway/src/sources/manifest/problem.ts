import type { z } from 'zod';

/** Something in a manifest that cannot stand. `path` leads there from the manifest's root. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What a schema has against a value, one problem each; of a union the alternative that was meant. */
export function problemsOf(error: z.ZodError, at: readonly PropertyKey[] = []): Problem[] {
  return error.issues.flatMap((issue) => flatten(issue, at));
}

function flatten(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): Problem[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `Unknown key "${key}".` }));
  }
  if (issue.code === 'invalid_key') {
    return issue.issues.map((inner) => ({ path, message: inner.message }));
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) =>
      branch.every((inner) => inner.path.length > 0 || isKey(inner)),
    );
    if (meant !== undefined) return meant.flatMap((inner) => flatten(inner, path));
    return [{ path, message: 'Is none of the forms that are allowed here.' }];
  }
  const missing = issue.code === 'invalid_type' && /received undefined$/.test(issue.message);
  if (missing) return [{ path, message: `"${String(path.at(-1))}" is missing.` }];
  return [{ path, message: issue.message.replace(/^Invalid (?:input|option): /, '').replace(/^e/, 'E') }];
}

function isKey({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys' || code === 'too_small';
}
