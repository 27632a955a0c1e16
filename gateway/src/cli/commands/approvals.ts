import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { editedArguments } from '../../approvals/edited-arguments.ts';
import type { ShownApproval } from '../../approvals/index.ts';
import { absolutePath, type Configuration, localAddress } from '../../config/index.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { calledName } from '../../operations/called-name.ts';
import {
  type ApprovalDecision,
  type JsonObject,
  type StandingApproval,
  shortVersion,
} from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { unreadable } from '../../operations/text/unreadable.ts';
import { describeAddress } from '../../store/address.ts';
import { cardLines } from '../approvals/approval-card.ts';
import { everyApproval } from '../approvals/every-approval.ts';
import { type OpenedApprovals, type StoreOptions, withApprovals } from '../approvals/with-approvals.ts';
import { runnable } from '../command-line.ts';
import { ELSEWHERE, noneIn } from '../elsewhere.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { showTable } from '../terminal/table.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface ApprovalsOptions extends StoreOptions {
  readonly all?: boolean;
  readonly source?: string;
  readonly edit?: string;
  readonly reason?: string;
}

const OPERATOR = { kind: 'operator' } as const;

/** Who decides on this terminal. */
export function terminalDecider() {
  return { kind: 'operator', channel: 'cli', id: userName() } as const;
}

export async function listApprovals(options: ApprovalsOptions, terminal: Terminal): Promise<number> {
  const { all, source } = options;
  return withApprovals(options, terminal, async (opened) => {
    const approvals = await everyApproval(opened.approvals, {
      ...(all ? {} : { states: ['pending'] }),
      ...(source === undefined ? {} : { source }),
    });
    if (options.json) {
      terminal.out(json({ approvals }));
      return 0;
    }
    showTable(
      approvals,
      [
        ['ID', ({ id }) => id],
        ['STATE', ({ state }) => state],
        ['TOOL', ({ tool, operation }) => calledName(tool, operation)],
        ['CALLER', ({ principal }) => principal],
        ['ARGUMENTS', ({ preview }) => shortened(JSON.stringify(preview))],
        ['EXPIRES', ({ expiresAt }) => new Date(expiresAt).toISOString()],
      ],
      terminal,
      noneIn(opened.configuration, options, terminal),
    );
    if (approvals.some(({ state }) => state === 'pending'))
      terminal.note(
        `Decide: ${runnable(terminal, 'approvals', 'approve')} ID, reject ID, or approvals watch.`,
      );
    return 0;
  });
}

export async function showApproval(
  id: string,
  options: ApprovalsOptions,
  terminal: Terminal,
): Promise<number> {
  const approval = await withApprovals(options, terminal, (opened) => find(opened, id));
  return show(approval, options, terminal);
}

export async function approve(id: string, options: ApprovalsOptions, terminal: Terminal): Promise<number> {
  const decision: ApprovalDecision =
    options.edit === undefined
      ? { decision: 'approve' }
      : { decision: 'edit', arguments: await readEdited(options.edit, terminal) };
  return decide(id, decision, options, terminal);
}

export async function approveAlways(
  id: string,
  options: ApprovalsOptions,
  terminal: Terminal,
): Promise<number> {
  return decide(id, { decision: 'approve_always' }, options, terminal);
}

export async function reject(id: string, options: ApprovalsOptions, terminal: Terminal): Promise<number> {
  const { reason } = options;
  return decide(id, { decision: 'reject', ...(reason === undefined ? {} : { reason }) }, options, terminal);
}

export async function linkApproval(
  id: string,
  options: ApprovalsOptions,
  terminal: Terminal,
): Promise<number> {
  const url = await withApprovals(options, terminal, async (opened) => {
    const { id: whole } = await find(opened, id);
    return `${linkBase(opened.configuration)}${await opened.approvals.link(whole, OPERATOR)}`;
  });
  terminal.out(options.json ? json({ url }) : url);
  if (!options.json)
    terminal.note('Whoever has this link decides, once. Give it to a person, not to a model.');
  return 0;
}

export async function listStanding(options: ApprovalsOptions, terminal: Terminal): Promise<number> {
  return withApprovals(options, terminal, async ({ approvals, configuration }) => {
    const standing = await approvals.standing(OPERATOR);
    if (options.json) {
      terminal.out(json({ standing }));
      return 0;
    }
    showTable(
      standing,
      [
        ['ID', ({ id }) => id],
        ['TOOL', ({ tool }) => tool],
        ['CALLER', ({ principal }) => principal],
        ['COVERS', covered],
        ['SINCE', ({ createdAt }) => new Date(createdAt).toISOString()],
        ['BY', ({ createdBy }) => createdBy],
      ],
      terminal,
      noneIn(configuration, options, terminal),
    );
    return 0;
  });
}

export async function revokeStanding(
  id: string,
  options: ApprovalsOptions,
  terminal: Terminal,
): Promise<number> {
  const revoked = await withApprovals(options, terminal, async ({ approvals }) => {
    const whole = onlyOne(
      (await approvals.standing(OPERATOR)).map((one) => one.id),
      id,
    );
    return approvals.revoke(whole, OPERATOR);
  });
  const what = revoked.skill === undefined ? revoked.tool : covered(revoked);
  terminal.out(options.json ? json(revoked) : `Revoked: ${what} for ${revoked.principal}.`);
  return 0;
}

function covered({ skill, argumentsHash }: StandingApproval): string {
  if (skill !== undefined) return `skill ${skill.skill} ${shortVersion(skill.version)}`;
  return argumentsHash === undefined ? 'every call' : 'the same arguments';
}

export async function showToken(options: ApprovalsOptions, terminal: Terminal): Promise<number> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  const { createApproverToken } = await import('../../approvals/index.ts');
  const token = await createApproverToken(configuration.stateDirectory).value();
  terminal.out(options.json ? json({ token }) : token);
  return 0;
}

async function decide(
  id: string,
  decision: ApprovalDecision,
  options: ApprovalsOptions,
  terminal: Terminal,
): Promise<number> {
  const approval = await withApprovals(options, terminal, async (opened) => {
    const { id: whole } = await find(opened, id);
    return opened.approvals.decide(whole, decision, terminalDecider());
  });
  if (decision.decision === 'approve_always') terminal.note(fromNowOn(approval, terminal));
  return show(approval, options, terminal);
}

const HOLDS = { tool: 'every call of it goes', arguments: 'the same arguments go' } as const;

/** What an approval for always holds for: its card tells of the one call. */
function fromNowOn({ standing, principal }: ShownApproval, terminal: Terminal): string {
  if (standing === 'never') return 'It holds for this call alone: such calls are asked for each time.';
  const what = standing === 'skill' ? 'the tools of the skill go' : HOLDS[standing];
  const list = runnable(terminal, 'approvals', 'standing');
  return `From now on ${what} through for ${printable(principal, 200)}: ${list} lists it, revoke ID takes it back.`;
}

function show(approval: ShownApproval, { json: asJson }: ApprovalsOptions, terminal: Terminal): number {
  if (asJson) terminal.out(json(approval));
  else for (const line of cardLines(approval.card, terminal)) terminal.out(line);
  return 0;
}

/** By the whole id or its beginning. Throws `approval_unknown`. */
async function find({ approvals, configuration }: OpenedApprovals, id: string): Promise<ShownApproval> {
  try {
    if (/^[0-9a-f]{32}$/.test(id)) return await approvals.get(id, OPERATOR);
    const known = (await everyApproval(approvals)).map((one) => one.id);
    return await approvals.get(onlyOne(known, id), OPERATOR);
  } catch (error) {
    if (!isToolcribError(error) || error.code !== 'approval_unknown') throw error;
    throw new ToolcribError('approval_unknown', error.message, {
      location: describeAddress(configuration.store),
      next: `\`toolcrib approvals --all\` lists those of this store. ${ELSEWHERE}`,
    });
  }
}

const LEAST_CHARACTERS = 4;

/** Throws `approval_unknown` for a beginning of none or of several, `usage` for one that is too short to mean one. */
function onlyOne(ids: readonly string[], beginning: string): string {
  if (beginning.length < LEAST_CHARACTERS)
    throw new ToolcribError(
      'usage',
      `"${beginning}" is too short: name at least ${LEAST_CHARACTERS} characters of the id.`,
    );
  const found = ids.filter((one) => one.startsWith(beginning));
  if (found.length === 1) return found[0]!;
  throw new ToolcribError(
    'approval_unknown',
    found.length === 0
      ? `There is no approval "${beginning.slice(0, 64)}".`
      : `"${beginning}" begins the ids of ${found.length}.`,
  );
}

async function readEdited(place: string, terminal: Terminal): Promise<JsonObject> {
  const text =
    place === '-'
      ? await terminal.readInput()
      : await readFile(absolutePath(place, terminal.cwd, terminal.env), 'utf8').catch((error: Error) => {
          throw new ToolcribError('usage', `The edited arguments cannot be read: ${unreadable(error)}.`);
        });
  const args = editedArguments(text);
  if (typeof args !== 'string') return args;
  throw new ToolcribError('usage', `${args} Nothing was decided.`);
}

function linkBase({ policy, server }: Configuration): string {
  return policy.approvals?.url ?? localAddress(server);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
