import type { z } from 'zod';
import { ToolcribError } from '../errors.ts';
import { dottedPath, pointerTo } from '../operations/text/document-path.ts';
import { problemsOf } from '../operations/text/schema-problems.ts';

/** What the configuration holds of a source, as its kind's schema reads it. Throws `configuration_invalid`. */
export function validated<C>(type: z.ZodType<C>, settings: unknown, at: readonly string[]): C {
  const parsed = type.safeParse(settings);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error.issues, settings, at);
  const lines = problems.map(({ path, message }) => `${dottedPath(path)}: ${message}`);
  const message = lines.length === 1 ? lines[0]! : `${lines.length} problems:\n  ${lines.join('\n  ')}`;
  throw new ToolcribError('configuration_invalid', message, { pointer: pointerTo(problems[0]!.path) });
}
