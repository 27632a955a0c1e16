import { isOfSkill } from '../invocation/invocation.ts';
import type { Access, Operation } from '../operation.ts';
import { printable } from '../text/printable.ts';
import type { ScriptInvocation, SkillPolicy } from './skill.ts';

/** What is looked at of a tool that a skill brought; an Operation fits. */
export type SkillOperation = Pick<Operation, 'id' | 'access' | 'invocation'>;

/** What a tool of a skill can do on this machine. */
export interface SkillPowers {
  /** Id of its operation. */
  readonly operation: string;
  readonly access: Access;
  /** It can reach the network: it sends requests, declares it, or nothing keeps its program from it. */
  readonly network: boolean;
  /** File name of the program that it starts; absent: an interpreter, or none. */
  readonly program?: string;
}

/** What becomes of a call. */
export type SkillVerdict =
  | { readonly kind: 'run' }
  /** A person agrees first; each reason is one sentence. */
  | { readonly kind: 'ask'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'refuse';
      readonly code: 'sandbox_unavailable' | 'skill_forbidden';
      /** One sentence. */
      readonly reason: string;
    };

const RUN: SkillVerdict = Object.freeze({ kind: 'run' });
const INTERPRETERS: ReadonlySet<string> = new Set(['sh', 'bash', 'python3', 'node']);
const PROGRAM_LENGTH = 100;

/**
 * Whether a call of a skill's tool runs as it is, after a person agreed, or not at all. Operations that no skill
 * brought run. What one mode asks about, a stricter one never lets run.
 * @param isolated bubblewrap is in force for programs of skills
 */
export function judgeSkillCall(
  { mode, programs }: Pick<SkillPolicy, 'mode' | 'programs'>,
  operation: SkillOperation,
  isolated: boolean,
): SkillVerdict {
  const { invocation } = operation;
  if (!isOfSkill(invocation) || mode === 'permissive') return RUN;
  if (mode === 'strict' && invocation.kind === 'script' && !isolated) {
    return {
      kind: 'refuse',
      code: 'sandbox_unavailable',
      reason: 'In the mode strict programs of skills run in a sandbox, and there is none here.',
    };
  }
  if (mode === 'strict' && invocation.kind === 'template' && !invocation.network) {
    return {
      kind: 'refuse',
      code: 'skill_forbidden',
      reason: 'In the mode strict only tools that declare the network have it, and this one does not.',
    };
  }
  const reasons = reasonsToAsk(operation, programs, isolated);
  return reasons.length === 0 ? RUN : { kind: 'ask', reasons };
}

/** Undefined for an operation that no skill brought. */
export function powersOf(operation: SkillOperation, isolated: boolean): SkillPowers | undefined {
  const { id, access, invocation } = operation;
  if (!isOfSkill(invocation)) return undefined;
  if (invocation.kind === 'template') return { operation: id, access, network: true };
  const program = programOf(invocation);
  return {
    operation: id,
    access,
    network: invocation.network || !isolated,
    ...(program === undefined ? {} : { program }),
  };
}

function reasonsToAsk(
  { access, invocation }: SkillOperation,
  programs: readonly string[],
  isolated: boolean,
): string[] {
  const reasons: string[] = [];
  if (access !== 'read') reasons.push(`It may change something: its access is ${access}.`);
  if (invocation.kind === 'template') reasons.push('It sends a request over the network.');
  if (invocation.kind !== 'script') return reasons;
  if (invocation.network) reasons.push('Its program reaches the network, as its manifest says.');
  else if (!isolated) reasons.push('There is no sandbox here that keeps its program from the network.');
  const program = programOf(invocation);
  if (program !== undefined && !programs.includes(program)) {
    const shown = printable(program, PROGRAM_LENGTH);
    reasons.push(`It starts ${shown}, which is none of the programs that run without asking.`);
  }
  return reasons;
}

/** A file that is called like an interpreter is a file of the package all the same. */
function programOf({ interpreter, entry }: ScriptInvocation): string | undefined {
  if (interpreter === undefined) return entry.slice(entry.lastIndexOf('/') + 1);
  return INTERPRETERS.has(interpreter) ? undefined : interpreter;
}
