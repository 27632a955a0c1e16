import type { z } from 'zod';
import { isToolcribError, ToolcribError } from '../errors.ts';
import { parsePointer } from '../operations/index.ts';
import { dottedPath, pointerTo } from '../operations/text/document-path.ts';
import type { ConfigurationContext } from './context.ts';

interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Every problem of a configuration as one error: the first gives the place, all stand in the message. */
export function configurationError(
  issues: readonly z.core.$ZodIssue[],
  file: string | undefined,
  lineOf: ((path: readonly PropertyKey[]) => number | undefined) | undefined,
): ToolcribError {
  const findings = issues.flatMap((issue) => flatten(issue, []));
  const lines = findings.map(({ path, message }) => {
    const line = lineOf?.(path);
    return `${path.length === 0 ? 'top level' : dottedPath(path)}${line === undefined ? '' : ` (line ${line})`}: ${message}`;
  });
  const first = findings[0]!;
  const line = lineOf?.(first.path);
  const count = findings.length === 1 ? '' : `${findings.length} problems:\n  `;
  return new ToolcribError('configuration_invalid', `${count}${lines.join('\n  ')}`, {
    pointer: pointerTo(first.path),
    ...(file === undefined ? {} : { location: line === undefined ? file : `${file}:${line}` }),
    details: { problems: lines },
  });
}

/** An error that points at a key of the file, with the file and the line of the key; any other as it is. */
export function withPlace(
  error: unknown,
  { file, lineOf }: Pick<ConfigurationContext, 'file' | 'lineOf'>,
): unknown {
  if (!isToolcribError(error) || error.pointer === undefined) return error;
  if (file === undefined || error.location !== undefined) return error;
  const path = (parsePointer(error.pointer) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const line = lineOf?.(path);
  const { code, message, pointer, details, next, cause } = error;
  return new ToolcribError(code, message, {
    pointer,
    location: line === undefined ? file : `${file}:${line}`,
    ...(details === undefined ? {} : { details }),
    next,
    cause,
  });
}

function flatten(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): Finding[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return [{ path: [...path, issue.keys[0] ?? ''], message: issue.message }];
  }
  if (issue.code === 'invalid_key') {
    return issue.issues.map((inner) => ({ path, message: inner.message }));
  }
  if (issue.code === 'invalid_union') {
    const branch = meantBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => flatten(inner, path));
    return [{ path, message: 'Is none of the forms that are allowed here.' }];
  }
  return [{ path, message: issue.message.replace(/^Invalid input: /, '').replace(/^expected/, 'Expected') }];
}

/** The alternative whose type fits: the one that complains about something other than the value's own type. */
function meantBranch(
  branches: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  const fitting = branches.filter(
    (issues) =>
      !issues.some(
        (issue) =>
          issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value'),
      ),
  );
  const present = fitting.filter((issues) => !issues.some(isMissing));
  return present[0] ?? fitting[0];
}

/** A required key that is absent: this alternative was probably not the one meant. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && /received undefined$/.test(issue.message);
}
