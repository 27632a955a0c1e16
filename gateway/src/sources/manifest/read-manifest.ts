import { ToolcribError } from '../../errors.ts';
import type { Diagnostic, Skipped } from '../../operations/index.ts';
import { dottedPath, pointerTo } from '../../operations/text/document-path.ts';
import type { Problem } from '../../operations/text/schema-problems.ts';
import { checkManifest } from './check-manifest.ts';
import { readLocatedYaml } from './located-yaml.ts';
import type { ProviderManifest } from './manifest.ts';

/** A manifest as it was read, with what had to be left out. */
export interface ReadManifest {
  readonly manifest: ProviderManifest;
  readonly skipped: readonly Skipped[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where an operation of `manifest.operations` stands: pointer into the file, and `file:line`. */
  placeOf(operation: number): { readonly pointer: string; readonly location: string };
}

type PlaceOf = (path: readonly PropertyKey[]) => string;

/** YAML or JSON text. Throws `source_invalid` for what concerns the whole manifest, naming every line. */
export async function readManifest(text: string, file: string): Promise<ReadManifest> {
  const { value, place } = await readLocatedYaml(text, file);
  return judgeManifest(value, place, file);
}

/** A parsed manifest. Throws `source_invalid` for what concerns the whole. */
export function judgeManifest(value: unknown, place: PlaceOf, what: string): ReadManifest {
  const checked = checkManifest(value);
  if ('problems' in checked) throw manifestError(checked.problems, place, what);
  const { manifest, indices, broken } = checked;
  return {
    manifest,
    skipped: broken.map(({ id, method, path, problems }) => ({
      method,
      path,
      ...(id === undefined ? {} : { operation: id }),
      reason: problems[0]!.message,
    })),
    diagnostics: broken.flatMap(({ index, id, problems }) =>
      problems.map(
        (problem): Diagnostic => ({
          code: 'operation-invalid',
          severity: 'error',
          message: `Operation ${id ?? `number ${index + 1}`}, ${within(problem)}: ${problem.message} It is left out.`,
          pointer: pointerTo(problem.path),
          location: place(problem.path),
        }),
      ),
    ),
    placeOf: (operation) => {
      const path = ['operations', indices[operation]!];
      return { pointer: pointerTo(path), location: place(path) };
    },
  };
}

/** All problems in one error; the first gives the place. */
export function manifestError(problems: readonly Problem[], place: PlaceOf, what: string): ToolcribError {
  const lines = problems.map((problem) => {
    const line = /:(\d+)$/.exec(place(problem.path))?.[1];
    const key = problem.path.length === 0 ? 'top level' : dottedPath(problem.path);
    return `${key}${line === undefined ? '' : ` (line ${line})`}: ${problem.message}`;
  });
  const first = problems[0]!;
  const count = problems.length === 1 ? ' ' : ` ${problems.length} problems:\n  `;
  return new ToolcribError(
    'source_invalid',
    `The manifest ${what} cannot be used.${count}${lines.join('\n  ')}`,
    { pointer: pointerTo(first.path), location: place(first.path), details: { problems: lines } },
  );
}

/** The place within its operation. */
function within({ path }: Problem): string {
  return path.length <= 2 ? 'as a whole' : dottedPath(path.slice(2));
}
