import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, hashBytes, isObject } from '../../operations/index.ts';
import { importFile } from '../../sources/package/native-import.ts';
import { packageFiles } from '../../sources/package/package-files.ts';
import type { LintOptions } from './lint-options.ts';
import type { Linted } from './linted.ts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** A source kind: what source.ts exports, and whether it has tests. */
export async function lintSource(folder: string, { reader, runTests }: LintOptions): Promise<Linted> {
  const name = readdirSync(folder).find((one) => /^source\.(?:ts|mts|mjs|js)$/.test(one))!;
  const file = join(folder, name);
  const { tests } = packageFiles(folder);
  const findings: Diagnostic[] = [];
  const say = (code: string, message: string, location = `${file}:1`) =>
    findings.push({ code, severity: 'error', message, location });
  if (tests.length === 0) say('source-file-missing', 'There is no source.test.ts: its tests.', `${folder}:1`);
  try {
    const version = hashBytes(await reader.read(file, new AbortController().signal));
    const { default: kind } = await importFile(file, version);
    for (const problem of problemsOf(kind)) say('source-invalid', problem);
  } catch (error) {
    say('source-unloadable', `It cannot be loaded: ${(error as Error).message}`);
  }
  if (!runTests) return { file: folder, kind: 'source', operations: 0, findings };
  const { runTests: run } = await import('./run-tests.ts');
  const failures = await run(folder, tests);
  return {
    file: folder,
    kind: 'source',
    operations: 0,
    tests: tests.length,
    findings: [...findings, ...failures],
  };
}

function problemsOf(kind: unknown): string[] {
  if (!isObject(kind)) return ['Its default export is no SourceKind: { kind, config, describe }.'];
  const { kind: name, config, describe } = kind as Record<string, unknown>;
  return [
    ...(typeof name === 'string' && NAME.test(name)
      ? []
      : ['kind is the key in the configuration: small letters, digits and "-".']),
    ...(config !== null && typeof config === 'object' && 'safeParse' in config
      ? []
      : ['config is a zod schema of the settings.']),
    ...(typeof describe === 'function' ? [] : ['describe(settings, context) answers with the operations.']),
  ];
}
