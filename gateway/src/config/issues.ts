import { isToolcribError, ToolcribError } from '../errors.ts';
import { parsePointer } from '../operations/index.ts';
import { dottedPath, pointerTo } from '../operations/text/document-path.ts';
import { printable } from '../operations/text/printable.ts';
import type { Problem } from '../operations/text/schema-problems.ts';
import type { ConfigurationContext } from './context.ts';

/** More is read by nobody, and looking up the line of each takes its time. */
const MOST_PROBLEMS = 50;
const MOST_CHARACTERS = 1000;

/** The problems of a configuration as one error: the first gives the place, all stand in the message, up to a number. */
export function configurationError(
  problems: readonly Problem[],
  file: string | undefined,
  lineOf: ((path: readonly PropertyKey[]) => number | undefined) | undefined,
): ToolcribError {
  const lines = problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => {
    const line = lineOf?.(path);
    const place = `${path.length === 0 ? 'top level' : dottedPath(path)}${line === undefined ? '' : ` (line ${line})`}`;
    return printable(`${place}: ${message}`, MOST_CHARACTERS);
  });
  if (problems.length > MOST_PROBLEMS) lines.push(`… and ${problems.length - MOST_PROBLEMS} more.`);
  const first = problems[0]!;
  const line = lineOf?.(first.path);
  const count = problems.length === 1 ? '' : `${problems.length} problems:\n  `;
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
  const line = lineOf?.(parsePointer(error.pointer) ?? []);
  const { code, message, pointer, details, next, cause } = error;
  return new ToolcribError(code, message, {
    pointer,
    location: line === undefined ? file : `${file}:${line}`,
    ...(details === undefined ? {} : { details }),
    next,
    cause,
  });
}
