import { basename, resolve } from 'node:path';
import { createSourceReader } from '../../assembly/compiling/source-reader.ts';
import { lazyEgress } from '../../assembly/lazy-egress.ts';
import { absolutePath } from '../../config/index.ts';
import { egressConfiguration } from '../../config/settings/egress.ts';
import { asToolcribError, ToolcribError } from '../../errors.ts';
import type { Description, Diagnostic } from '../../operations/index.ts';
import type { ProviderManifest } from '../../sources/manifest/index.ts';
import { SHIPPED_PROVIDERS } from '../../sources/manifest/shipped.ts';
import type { SourceReader } from '../../sources/source-kind.ts';
import { assertThere } from '../assert-there.ts';
import { counted } from '../counted.ts';
import { isFolder, lintFolder, namedFolder } from '../lint/lint-folder.ts';
import { exitOf, type Linted } from '../lint/linted.ts';
import { json, type Paint, painter, type Terminal } from '../terminal/terminal.ts';

export interface LintOptions {
  /** OpenAPI document of the same service: path or URL. */
  readonly openapi?: string;
  readonly json?: boolean;
  /** Every name is a folder of a skill or of skills: none is a manifest that comes with Toolcrib. */
  readonly isOfSkills?: boolean;
  /** Runs the tests of tool packages and source kinds, too. */
  readonly runTests?: boolean;
}

/** Checks manifests (shipped names or files) and folders. Exit code 65 when one of them has an error. */
export async function lint(
  files: readonly string[],
  options: LintOptions,
  terminal: Terminal,
): Promise<number> {
  const egress = lazyEgress(
    egressConfiguration(undefined, { env: terminal.env, baseDirectory: terminal.cwd }),
  );
  const reader = createSourceReader(egress, async (name) => {
    throw new ToolcribError('internal', `There is no built-in document ${name} to lint.`);
  });
  try {
    const document =
      options.openapi === undefined ? undefined : await openApi(options.openapi, reader, terminal);
    const linted: Linted[] = [];
    for (const file of files) {
      const folder = namedFolder(resolve(terminal.cwd, file));
      if (options.isOfSkills) assertThere(folder);
      if ((options.isOfSkills || !isShipped(file)) && isFolder(folder)) {
        linted.push(...(await lintFolder(folder, { runTests: options.runTests === true, reader, terminal })));
      } else linted.push(await lintFile(file, document, reader, terminal));
    }
    if (options.json) terminal.out(json({ files: linted }));
    else for (const one of linted) show(one, terminal);
    return exitOf(linted);
  } finally {
    await egress.close();
  }
}

/** The name of a shipped provider, which wins over a folder of that name. */
function isShipped(name: string): boolean {
  return SHIPPED_PROVIDERS.includes(name);
}

/** A slip of the pen in the name of a folder is no fault of a configuration. */
function manifestIn(named: string, locate: () => string): string {
  try {
    return locate();
  } catch (error) {
    if (asToolcribError(error).code !== 'configuration_invalid') throw error;
    throw new ToolcribError(
      'source_unreadable',
      `There is no file, no folder and no shipped manifest "${named}"; shipped are ${SHIPPED_PROVIDERS.join(', ')}.`,
      { cause: error, next: 'Name a file or a folder that is there, or one of these.' },
    );
  }
}

async function lintFile(
  named: string,
  document: Description | undefined,
  reader: SourceReader,
  terminal: Terminal,
): Promise<Linted> {
  const { manifestLocation } = await import('../../sources/manifest/location.ts');
  const file = manifestIn(named, () => manifestLocation(named, terminal.cwd));
  const bytes = await reader.read(file, new AbortController().signal);
  const { readManifest } = await import('../../sources/manifest/read-manifest.ts');
  try {
    const read = await readManifest(Buffer.from(bytes).toString('utf8'), file);
    const { lintManifest } = await import('../../sources/manifest/lint/lint-manifest.ts');
    const { compareWithOpenApi } = await import('../../sources/manifest/lint/compare-openapi.ts');
    const findings = [
      ...lintManifest(read),
      ...(await lintGeneric(read.manifest)),
      ...(document ? compareWithOpenApi(read, document) : []),
    ];
    return { file, kind: 'manifest', operations: read.manifest.operations.length, findings };
  } catch (thrown) {
    const { code, message, pointer, location } = asToolcribError(thrown);
    if (code !== 'source_invalid') throw thrown;
    const finding: Diagnostic = {
      code: 'manifest-invalid',
      severity: 'error',
      message,
      ...(pointer === undefined ? {} : { pointer }),
      ...(location === undefined ? {} : { location }),
    };
    return { file, kind: 'manifest', operations: 0, findings: [finding] };
  }
}

/** Mappings to generic tools, held against the category where it is a shipped one. */
async function lintGeneric(manifest: ProviderManifest): Promise<Diagnostic[]> {
  if (manifest.generic === undefined) return [];
  const { describeManifestValue } = await import('../../sources/manifest/index.ts');
  const { lintMappings } = await import('../../topology/generic/lint-mappings.ts');
  const { readCategories } = await import('../../assembly/listing/read-categories.ts');
  const { operations } = describeManifestValue(manifest, manifest.provider);
  const category = readCategories([]).find((one) => one.category === manifest.category);
  const inputs = new Map(operations.map(({ id, input }) => [id, input]));
  return lintMappings(manifest.generic, inputs, category);
}

async function openApi(named: string, reader: SourceReader, terminal: Terminal): Promise<Description> {
  const { describeOpenApi } = await import('../../sources/openapi/describe.ts');
  const url = /^[a-z][a-z0-9+.-]+:/i.test(named);
  return describeOpenApi(url ? named : absolutePath(named, terminal.cwd, terminal.env), {
    name: 'openapi',
    baseDirectory: terminal.cwd,
    reader,
    signal: new AbortController().signal,
  });
}

const COLOURS: Readonly<Record<Diagnostic['severity'], Parameters<Paint>[0]>> = {
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};

function show({ file, kind, operations, examples, tests, findings }: Linted, terminal: Terminal): void {
  const paint = painter(terminal);
  for (const { severity, code, message, location, pointer } of findings) {
    terminal.out(`${paint(COLOURS[severity], severity)} ${code}: ${message}`);
    const place = location ?? pointer;
    if (place !== undefined) terminal.out(`  at: ${place}`);
  }
  const count = (severity: Diagnostic['severity']) =>
    findings.filter((one) => one.severity === severity).length;
  const what =
    kind === 'tool'
      ? `${counted(examples ?? 0, 'example')} run`
      : kind === 'source'
        ? 'a source kind'
        : counted(operations, kind === 'skill' ? 'tool' : 'operation');
  const sum = [
    what,
    ...(tests === undefined ? [] : [`${counted(tests, 'test file')} run`]),
    counted(count('error'), 'error'),
    counted(count('warning'), 'warning'),
    counted(count('info'), 'note'),
  ];
  terminal.out(`${paint('bold', basename(file))}: ${sum.join(', ')}`);
}
