import type { Configuration } from '../../config/index.ts';
import { isToolcribError } from '../../errors.ts';
import { checkAzure } from '../doctor/azure.ts';
import { checkClients } from '../doctor/clients.ts';
import { checkCredentials } from '../doctor/credentials.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkEgress, checkNode, checkPort, checkStateDirectory } from '../doctor/machine.ts';
import { checkPermissions } from '../doctor/permissions.ts';
import { checkSkills } from '../doctor/skills.ts';
import { checkSources } from '../doctor/sources.ts';
import { checkStore } from '../doctor/store.ts';
import { checkUpstreams } from '../doctor/upstreams.ts';
import { checkWebhooks } from '../doctor/webhooks.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import type { SourceOptions } from '../source-options.ts';
import { json, type Paint, painter, type Terminal } from '../terminal.ts';

/** Looks at everything a call needs; each finding says how to mend it. Exit code 78 when there is an error. */
export async function doctor(options: SourceOptions, terminal: Terminal): Promise<number> {
  const findings: Finding[] = [checkNode(process.versions.node)];
  const configuration = await checkConfiguration(options, terminal, findings);
  if (configuration !== undefined) {
    findings.push(await checkStateDirectory(configuration));
    findings.push(checkEgress(configuration));
    findings.push(await checkPort(configuration));
    findings.push(...(await checkStore(configuration)));
    findings.push(...(await checkWebhooks(configuration)));
    findings.push(...(await checkCredentials(configuration, terminal.env)));
    findings.push(...(await checkUpstreams(configuration, terminal.env)), ...checkPermissions(configuration));
    findings.push(...(await checkAzure(configuration, terminal.env)));
    findings.push(...(await checkSkills(configuration)));
    findings.push(...(await checkSources(configuration)));
  }
  findings.push(...(await checkClients(terminal)));
  const errors = findings.filter(({ status }) => status === 'error').length;
  if (options.json) terminal.out(json({ ok: errors === 0, findings }));
  else show(findings, errors, terminal);
  return errors === 0 ? 0 : 78;
}

async function checkConfiguration(
  options: SourceOptions,
  terminal: Terminal,
  findings: Finding[],
): Promise<Configuration | undefined> {
  try {
    const { configuration, origin } = await resolveConfiguration(options.spec ?? [], options, terminal);
    const sources = Object.keys(configuration.sources);
    const what = {
      documents: 'documents of the command line',
      azure: 'the resource group of the command line',
      quickstart: 'the quickstart; this folder has no toolcrib.yaml',
      file: configuration.file ?? '',
    };
    findings.push(
      sources.length === 0
        ? {
            check: 'configuration',
            status: 'error',
            message: `${what[origin]} names no source.`,
            next: 'Add one under `sources:`.',
          }
        : {
            check: 'configuration',
            status: 'ok',
            message: `${what[origin]} (sources: ${sources.join(', ')})`,
          },
    );
    return configuration;
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    const place = error.location === undefined ? '' : ` (${error.location})`;
    findings.push({
      check: 'configuration',
      status: 'error',
      message: `${error.message}${place}`,
      next: error.next,
    });
    return undefined;
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
