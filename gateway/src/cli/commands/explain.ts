import { join } from 'node:path';
import type { CatalogEntry } from '../../catalog/catalog.ts';
import { DANGEROUS } from '../../compiler/compile-source.ts';
import type { Configuration } from '../../config/configuration.ts';
import { ToolcribError } from '../../errors.ts';
import type { Gateway } from '../../gateway.ts';
import { LOCAL_PRINCIPAL, type PolicyCheck, type Principal, type Skipped } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { findEntry, unknownTool } from '../call/find-tool.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { storeOf } from '../store-of.ts';
import { json, painter, type Terminal } from '../terminal/terminal.ts';

export interface ExplainOptions extends SourceOptions {
  /** Id of a user of the store. */
  readonly as?: string;
}

/**
 * Why a tool is offered or not: every factor with its value. Operations and tools of skills that
 * became no tool give their reason.
 */
export function explain(name: string, options: ExplainOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway, configuration }) => {
    const principal =
      options.as === undefined ? LOCAL_PRINCIPAL : await userPrincipal(configuration, options.as);
    const entry = findEntry(gateway, name);
    if (entry !== undefined) return explainEntry(gateway, entry, principal, options, terminal);
    const skipped = gateway.view().catalog.skipped.filter((one) => describes(one, name));
    if (skipped.length > 0) {
      if (options.json) terminal.out(json({ visible: false, skipped: skipped[0] }));
      else for (const one of skipped) terminal.out(skippedLines(one));
      return 0;
    }
    const invalid = await invalidTool(gateway, name);
    if (invalid === undefined) throw unknownTool(gateway, name);
    if (options.json) terminal.out(json({ visible: false, invalid }));
    else {
      const { skill, place, error } = invalid;
      terminal.out(`${printable(name)} of skill ${skill} is invalid and became no tool: ${printable(error)}`);
      terminal.out(`  at: ${printable(place)}`);
    }
    return 0;
  });
}

/** A tool that a skill declares and that could not be made, by its name or `SKILL/NAME`. */
async function invalidTool(gateway: Gateway, wanted: string) {
  const skills = await gateway.skills();
  for (const { id: skill, source, invalid } of (await skills?.list(LOCAL_PRINCIPAL)) ?? []) {
    const found = invalid.find(({ name }) => name === wanted || `${skill}/${name}` === wanted);
    if (found === undefined) continue;
    const { folder = '' } = (await skills?.get(skill, LOCAL_PRINCIPAL)) ?? {};
    return { ...found, place: join(folder, found.place), skill, source };
  }
  return undefined;
}

/** Throws `usage` where there are no users, `record_unknown`. */
async function userPrincipal(configuration: Configuration, user: string): Promise<Principal> {
  const { auth, policy } = configuration;
  if (auth.mode !== 'team')
    throw new ToolcribError('usage', '--as names a user of a team: the configuration has no auth.mode team.');
  const address = storeOf(
    configuration,
    '--as names a user of the store: the configuration says store: none.',
  );
  const { openStore } = await import('../../store/open-store.ts');
  const { createDirectory } = await import('../../principals/index.ts');
  const store = await openStore(address);
  try {
    const { users } = createDirectory({ store, defaults: policy.defaults, sources: () => ({}) });
    return await users.principal(LOCAL_PRINCIPAL, user);
  } finally {
    await store.close();
  }
}

/** By place, operation id, or the name that its tool would have had. */
function describes({ method, path, operation, source }: Skipped, name: string): boolean {
  return (
    name === path ||
    name === operation ||
    name.toLowerCase() === `${method} ${path}`.toLowerCase() ||
    (source !== undefined && operation !== undefined && asWords(name) === asWords(`${source}_${operation}`))
  );
}

function asWords(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '_');
}

function skippedLines({ method, path, reason, source }: Skipped): string {
  const line = `${method} ${path}${source === undefined ? '' : ` of ${source}`} became no tool: ${reason}`;
  if (reason !== DANGEROUS) return line;
  return `${line}\n  Only an access rule of the source that names the operation can class it otherwise, and then as delete.`;
}

async function explainEntry(
  gateway: Gateway,
  entry: CatalogEntry,
  principal: Principal,
  { json: asJson }: SourceOptions,
  terminal: Terminal,
): Promise<number> {
  const explanation = await gateway.explain(entry.tool.name, principal);
  const { visible, callable, operation, checks, approval } = explanation;
  if (asJson) {
    const listed = gateway.view(principal).tools.some(({ tool }) => tool.name === entry.tool.name);
    terminal.out(json({ ...explanation, listed }));
    return 0;
  }
  const paint = painter(terminal);
  const offered = visible ? paint('green', 'offered') : paint('red', 'not offered');
  const pending = visible && !callable ? ', but cannot be called before an account is connected' : '';
  terminal.out(`${paint('bold', entry.tool.name)} is ${offered} to ${principal.id}${pending}`);
  terminal.out(`  operation  ${operation.id} of ${operation.source}: ${operation.target}`);
  for (const check of checks) terminal.out(checkLines(check, paint));
  if (approval !== undefined) {
    const asks = approval.kind === 'asks';
    const outcome = asks ? 'a person is asked before a call' : 'a call is refused';
    terminal.out(
      `  ${paint(asks ? 'yellow' : 'red', asks ? 'asks' : 'FAIL')}  approval     ${outcome}: ${printable(approval.reason)}`,
    );
  }
  return 0;
}

function checkLines(
  { check, value, needed, passes, change }: PolicyCheck,
  paint: ReturnType<typeof painter>,
): string {
  const mark = passes ? paint('green', 'pass') : paint('red', 'FAIL');
  const line = `  ${mark}  ${check.padEnd(12)} has ${value}, needs ${needed}`;
  return passes ? line : `${line}\n        ${' '.repeat(12)} ${change}`;
}
