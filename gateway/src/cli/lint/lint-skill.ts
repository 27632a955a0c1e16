import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asToolcribError } from '../../errors.ts';
import type { Diagnostic } from '../../operations/index.ts';
import { listPackage } from '../../skills/frozen/listing.ts';
import { checkEntryPath, isLeftOut } from '../../skills/import/entry-path.ts';
import {
  type CompiledSkill,
  compileSkill,
  noteUnusedScripts,
  type SkillFile,
} from '../../sources/skill/index.ts';
import type { Linted } from './linted.ts';

/** What a gateway takes with a warning, and the specification forbids. */
const FORBIDDEN = ['skill-name', 'skill-license', 'skill-compatibility'];

/** A skill folder, as a gateway would compile it: the front matter of SKILL.md, and the tools of its manifests. */
export async function lintSkill(folder: string): Promise<Linted> {
  try {
    const real = await realpath(folder);
    const { files, refused } = listPackage(real, dirname(real));
    const content = new Map<string, Uint8Array>();
    for (const { path } of files) content.set(path, await readFile(join(real, path)));
    const compiled = await compileSkill(
      {
        files: files.map(
          ({ path, bytes, executable }): SkillFile => ({
            path,
            bytes,
            sha256: createHash('sha256').update(content.get(path)!).digest('hex'),
            ...(executable ? { executable } : {}),
          }),
        ),
        read: async (path) => content.get(path)!,
      },
      { folder, root: dirname(folder) },
    );
    const findings = [
      ...compiled.findings.map(judged),
      ...invalidTools(compiled),
      ...unknownArguments(compiled),
      ...noteUnusedScripts(compiled),
      ...files.flatMap(({ path }) => unportableName(folder, path)),
      ...refused,
    ];
    return {
      file: folder,
      kind: 'skill',
      operations: compiled.tools.length + compiled.invalid.length,
      findings,
    };
  } catch (thrown) {
    const { code, message, location = folder, details } = asToolcribError(thrown);
    if (code === 'internal') throw thrown;
    const finding = typeof details?.['finding'] === 'string' ? details['finding'] : 'skill-unreadable';
    return {
      file: folder,
      kind: 'skill',
      operations: 0,
      findings: [{ code: finding, severity: 'error', message, location }],
    };
  }
}

function judged(finding: Diagnostic): Diagnostic {
  return FORBIDDEN.includes(finding.code) ? { ...finding, severity: 'error' } : finding;
}

function invalidTools({ folder, invalid }: CompiledSkill): Diagnostic[] {
  return invalid.map(({ place, error, code = 'skill-tool' }) => ({
    code,
    severity: 'error',
    message: error,
    location: join(folder, place),
  }));
}

/** Such a tool works, and a model can only guess what to send. */
function unknownArguments({ folder, tools }: CompiledSkill): Diagnostic[] {
  return tools
    .filter(({ input }) => Object.keys(input).length === 1)
    .map(({ name, place }) => ({
      code: 'skill-tool-input',
      severity: 'warning',
      message: `input_schema of ${name} says nothing: name its properties, or "additionalProperties: false" where it has none.`,
      location: join(folder, place),
    }));
}

/** Such a file works here, and keeps the package from being imported anywhere. */
function unportableName(folder: string, path: string): Diagnostic[] {
  if (isLeftOut(path)) return [];
  try {
    checkEntryPath(path);
    return [];
  } catch (thrown) {
    const { message } = asToolcribError(thrown);
    return [{ code: 'skill-file-name', severity: 'error', message, location: join(folder, path) }];
  }
}
