import type { Configuration } from '../../config/index.ts';
import { checkNode, examine, type Finding, type GroupedFinding, grouped } from '../../doctor/index.ts';
import { isToolcribError } from '../../errors.ts';
import { counted } from '../counted.ts';
import { checkClients } from '../doctor/clients.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { json, type Paint, painter, type Terminal } from '../terminal/terminal.ts';

/** Looks at everything a call needs; each finding says how to mend it. Exit code 78 when there is an error. */
export async function doctor(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
): Promise<number> {
  const findings = await findingsFor([...documents, ...(options.spec ?? [])], options, terminal);
  const errors = findings.filter(({ status }) => status === 'error').length;
  if (options.json) terminal.out(json({ ok: errors === 0, findings }));
  else show(findings, errors, terminal);
  return errors === 0 ? 0 : 78;
}

async function findingsFor(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
): Promise<GroupedFinding[]> {
  const { configuration, finding } = await readConfiguration(documents, options, terminal);
  const read = grouped('configuration', [finding]);
  const clients = async () => grouped('clients', await checkClients(terminal));
  if (configuration === undefined) {
    return [...grouped('machine', [checkNode(process.versions.node)]), ...read, ...(await clients())];
  }
  const { createGateway } = await import('../../gateway.ts');
  const examined = await examine({
    configuration,
    env: terminal.env,
    open: (used) => createGateway({ ...used, watch: false }),
  });
  const [first, ...others] = examined;
  return [...(first === undefined ? [] : [first]), ...read, ...others, ...(await clients())];
}

async function readConfiguration(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
): Promise<{ configuration?: Configuration; finding: Finding }> {
  const check = 'configuration';
  try {
    const { configuration, origin } = await resolveConfiguration(documents, options, terminal);
    const sources = Object.keys(configuration.sources);
    const what = {
      documents: 'documents of the command line',
      azure: 'the resource group of the command line',
      quickstart: 'the quickstart; this folder has no toolcrib.yaml',
      file: configuration.file ?? '',
    };
    if (sources.length > 0) {
      const message = `${what[origin]} (sources: ${sources.join(', ')})`;
      return { configuration, finding: { check, status: 'ok', message } };
    }
    const message = `${what[origin]} names no source.`;
    return {
      configuration,
      finding: { check, status: 'error', message, next: 'Add one under `sources:`.' },
    };
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    const place = error.location === undefined ? '' : ` (${error.location})`;
    const message = `${error.message}${place}`;
    return { finding: { check, status: 'error', message, next: error.next } };
  }
}

function show(findings: readonly Finding[], errors: number, terminal: Terminal): void {
  const paint = painter(terminal);
  for (const { check, status, message, next } of findings) {
    terminal.out(`${mark(status, paint)} ${check}: ${message}`);
    if (next !== undefined) terminal.out(`        ${paint('dim', '→')} ${next}`);
  }
  const warnings = findings.filter(({ status }) => status === 'warning').length;
  terminal.out(
    errors + warnings === 0
      ? '\nEverything is in order.'
      : `\n${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
  );
}

function mark(status: Finding['status'], paint: Paint): string {
  switch (status) {
    case 'ok':
      return paint('green', 'ok     ');
    case 'warning':
      return paint('yellow', 'warning');
    case 'error':
      return paint('red', 'error  ');
    default:
      return paint('dim', 'info   ');
  }
}
