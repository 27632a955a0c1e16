import { existsSync, statSync } from 'node:fs';
import { absolutePath } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import type { Diagnostic } from '../../operations/index.ts';
import { compiledDump } from '../compile/compiled-dump.ts';
import type { DefinitionChanges } from '../compile/definition-changes.ts';
import { counted } from '../counted.ts';
import { diagnosticPlace } from '../diagnostic-place.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { json, type Paint, painter, type Terminal } from '../terminal/terminal.ts';

export interface CompileOptions extends SourceOptions {
  readonly out?: string;
  readonly diff?: boolean;
  /** `true`: all tools. */
  readonly accept?: string | true;
}

/** Shows what becomes a tool, what does not, and why. Exit code 65 when `--diff` finds differences. */
export async function compile(
  documents: readonly string[],
  options: CompileOptions,
  terminal: Terminal,
): Promise<number> {
  const { out } = options;
  const folder = out === undefined ? undefined : absolutePath(out, terminal.cwd, terminal.env);
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new ToolcribError('file_unusable', `${folder} is a file.`, {
      location: folder,
      next: 'Name a folder after --out: lock and report are written into it.',
    });
  const more = { cache: false, ...(folder === undefined ? {} : { lockDirectory: folder }) };
  return withGateway(
    [...documents, ...(options.spec ?? [])],
    options,
    terminal,
    async ({ gateway }) => {
      if (options.accept !== undefined) return accept(gateway, options, terminal);
      if (options.diff) return diff(gateway, options, terminal);
      const written = folder === undefined ? [] : await write(gateway);
      const dump = compiledDump(gateway.view().catalog);
      if (options.json) terminal.out(json(dump));
      else summarise(gateway, terminal);
      for (const file of written) terminal.note(`Wrote ${file}.`);
      return 0;
    },
    more,
  );
}

async function accept(gateway: Gateway, options: CompileOptions, terminal: Terminal): Promise<number> {
  const accepted = await gateway.accept(options.accept === true ? undefined : options.accept);
  const { file } = gateway.configuration.lock;
  if (options.json) terminal.out(json({ lock: file, accepted }));
  else
    terminal.out(
      `${accepted.length === 0 ? 'Nothing differed from' : `Accepted ${accepted.join(', ')} into`} ${file}.`,
    );
  for (const { code, message } of gateway.diagnostics())
    if (code === 'source-failed') terminal.note(`${message} What the lock holds of it stays.`);
  return 0;
}

async function diff(gateway: Gateway, options: CompileOptions, terminal: Terminal): Promise<number> {
  const { definitionChanges } = await import('../compile/definition-changes.ts');
  const changes = await definitionChanges(gateway);
  if (options.json) terminal.out(json(changes));
  else showChanges(changes, painter(terminal), terminal);
  return changes.changes.length === 0 ? 0 : 65;
}

const MARKS = { added: ['+', 'green'], changed: ['~', 'yellow'], removed: ['-', 'red'] } as const;

function showChanges({ lock, locked, changes }: DefinitionChanges, paint: Paint, terminal: Terminal): void {
  for (const { tool, kind, diff: lines, rejected } of changes) {
    const [mark, colour] = MARKS[kind];
    terminal.out(paint(colour, `${mark} ${tool}${rejected === undefined ? '' : ' (rejected)'}`));
    for (const line of lines) terminal.out(`    ${line}`);
  }
  if (!locked) terminal.note(`There is no lock at ${lock}; --accept creates it.`);
  else if (changes.length === 0) terminal.note(`Nothing differs from ${lock}.`);
  else terminal.note('Accept with `toolcrib compile --accept [TOOL]`.');
}

/** The report, and a lock where there is none: an existing lock changes by `--accept` alone. */
async function write(gateway: Gateway): Promise<string[]> {
  const { lock } = gateway.configuration;
  const locked = existsSync(lock.file);
  const { writeReport } = await import('../compile/write-report.ts');
  if (!locked) await gateway.accept();
  await writeReport(gateway);
  return locked ? [lock.report] : [lock.file, lock.report];
}

const SEVERITIES: ReadonlyArray<[Diagnostic['severity'], Parameters<Paint>[0]]> = [
  ['error', 'red'],
  ['warning', 'yellow'],
  ['info', 'dim'],
];
const MOST_LINES = 20;
const MOST_PLACES = 3;

function summarise(gateway: Gateway, terminal: Terminal): void {
  const paint = painter(terminal);
  const { catalog } = gateway.view();
  const byAccess = Map.groupBy(catalog.entries, ({ facts }) => facts.access);
  const counts = [...byAccess].map(([access, entries]) => `${entries.length} ${access}`).sort();
  terminal.out(
    `${paint('bold', counted(catalog.entries.length, 'tool'))}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
  );
  const reasons = Map.groupBy(catalog.skipped, ({ reason }) => reason);
  if (catalog.skipped.length > 0) terminal.out(`${counted(catalog.skipped.length, 'operation')} left out:`);
  for (const [reason, skipped] of reasons) {
    const examples = skipped.slice(0, 3).map(({ method, path }) => `${method} ${path}`);
    terminal.out(
      `  ${skipped.length} × ${reason.replace(/\.$/, '')}: ${examples.join(', ')}${skipped.length > 3 ? ', …' : ''}`,
    );
  }
  const isOneOfSeveral = Object.keys(gateway.configuration.sources).length > 1;
  for (const [severity, colour] of SEVERITIES) {
    const found = gateway.diagnostics().filter((diagnostic) => diagnostic.severity === severity);
    const groups = [...Map.groupBy(found, ({ code, message }) => `${code}: ${message}`)];
    for (const [text, alike] of ofEveryKind(groups)) {
      terminal.out(`${paint(colour, severity)} ${text}${alike.length > 1 ? ` (${alike.length} times)` : ''}`);
      for (const one of alike.slice(0, severity === 'info' ? 1 : MOST_PLACES)) {
        const place = diagnosticPlace(one, isOneOfSeveral);
        if (place !== '') terminal.out(`  at: ${place}`);
      }
      const next = alike[0]!.next;
      if (next !== undefined) terminal.out(`  next: ${next}`);
    }
    if (groups.length > MOST_LINES)
      terminal.out(`… and ${groups.length - MOST_LINES} more of ${severity} (--json shows all)`);
  }
}

/** As many as are shown, of each kind in turn: many of one do not hide what is there once. */
function ofEveryKind<T extends [string, readonly Diagnostic[]]>(groups: readonly T[]): T[] {
  const kinds = Map.groupBy(groups, ([, alike]) => alike[0]!.code);
  const turns = new Map([...kinds.values()].flatMap((kind) => kind.map((group, turn) => [group, turn])));
  const shown = new Set(groups.toSorted((a, b) => turns.get(a)! - turns.get(b)!).slice(0, MOST_LINES));
  return groups.filter((group) => shown.has(group));
}
