import { isToolcribError, ToolcribError } from '../errors.ts';
import { parsePointer } from '../operations/index.ts';
import { dottedPath, pointerTo } from '../operations/text/document-path.ts';
import type { Problem } from '../operations/text/schema-problems.ts';
import type { ConfigurationContext } from './context.ts';

/** Every problem of a configuration as one error: the first gives the place, all stand in the message. */
export function configurationError(
  problems: readonly Problem[],
  file: string | undefined,
  lineOf: ((path: readonly PropertyKey[]) => number | undefined) | undefined,
): ToolcribError {
  const lines = problems.map(({ path, message }) => {
    const line = lineOf?.(path);
    return `${path.length === 0 ? 'top level' : dottedPath(path)}${line === undefined ? '' : ` (line ${line})`}: ${message}`;
  });
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
