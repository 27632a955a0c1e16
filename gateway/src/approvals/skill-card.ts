import {
  type Approval,
  type ApprovalCard,
  type SkillAgreement,
  type SkillPowers,
  shortVersion,
} from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';

type Rows = ApprovalCard['metadata'];
type Row = Rows[number];

const NAME_LENGTH = 64;
/** Names of one line; the number of the others follows. */
const MOST_NAMES = 20;
const ROW_LENGTH = 1500;

/** What the rows are called: no argument of a call may pass for one. */
export const SKILL_KEYS: readonly string[] = Object.freeze([
  'agreement',
  'skill',
  'version',
  'tools',
  'may',
  'isolation',
]);

/** Behind a card's title: that more than the call is agreed to. */
export function skillTitle({ standing, skill }: Approval): string {
  if (standing !== 'skill' || skill === undefined) return '';
  return `, and the skill ${nameOf(skill.skill)}`;
}

/** The skill behind the call, and what agreeing to it means; none where no skill is a reason to ask. */
export function skillRows({ standing, skill, principal }: Approval): Rows {
  if (skill === undefined) return [];
  const covered = `every tool of this skill in this version, for ${printable(principal, 200)}, until a file of the skill changes or the agreement is revoked`;
  return [
    ...(standing === 'skill' ? [row('agreement', covered)] : []),
    row('skill', nameOf(skill.skill)),
    row('version', shortVersion(skill.version)),
    row('tools', namesOf(skill.tools)),
    row('may', mayDo(skill)),
    row(
      'isolation',
      skill.isolated
        ? 'its programs run in a sandbox'
        : 'none: its programs run with every right of the gateway on this machine',
    ),
  ];
}

function mayDo({ tools }: SkillAgreement): string {
  const powers: ReadonlyArray<readonly [string, readonly SkillPowers[]]> = [
    ['write', tools.filter(({ access }) => access === 'write')],
    ['delete', tools.filter(({ access }) => access === 'delete')],
    ['reach the network', tools.filter(({ network }) => network)],
    ['start programs of its own', tools.filter(({ program }) => program !== undefined)],
  ];
  const held = powers.filter(([, by]) => by.length > 0).map(([what, by]) => `${what}: ${namesOf(by)}`);
  return held.length === 0 ? 'read, and nothing else' : held.join('; ');
}

function namesOf(tools: readonly SkillPowers[]): string {
  const names = tools.slice(0, MOST_NAMES).map(({ operation, program }) => {
    const name = nameOf(operation);
    return program === undefined ? name : `${name} (${nameOf(program)})`;
  });
  const left = tools.length - names.length;
  return names.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

function nameOf(name: string): string {
  return printable(name, NAME_LENGTH);
}

function row(key: string, value: string): Row {
  return { key, value: printable(value, ROW_LENGTH) };
}
