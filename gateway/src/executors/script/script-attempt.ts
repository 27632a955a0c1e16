import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { plainForms, SHORTEST_ECHO } from '../../credentials/echo-needles.ts';
import { isTimeout } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Call, Json, JsonObject, ScriptInvocation } from '../../operations/index.ts';
import { type IsolationInForce, isolationInForce, isolationText, isWithin } from '../../sandbox/index.ts';
import {
  renderArguments,
  renderText,
  renderTree,
  type TemplateValues,
  templateNames,
} from '../../templates/index.ts';
import type { Executor } from '../executor.ts';
import type { Attempt, AttemptOutcome } from '../skill/attempt.ts';
import type { SkillParts } from '../skill/skill-parts.ts';
import { templateContext } from '../skill/template-context.ts';
import { isMissing, missingByEnv, missingInterpreter, NOT_FOUND } from './missing-interpreter.ts';
import { withoutFolder } from './package-paths.ts';
import { forgetProgram, type ResolvedProgram, resolveProgram } from './resolve-program.ts';
import { runScript } from './run-script.ts';
import { answerOf, MOST_OUTPUT } from './script-answer.ts';
import type { ScriptIsolation, ScriptRun } from './script-run.ts';

export interface ScriptAttemptParts extends Pick<SkillParts, 'packages' | 'secrets' | 'policy'> {
  /** Default: found out once for the process. */
  readonly isolation?: () => Promise<IsolationInForce>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const MASK = '[redacted]';

/**
 * One start of a skill's program, on the frozen version of its package. Lines on stderr become progress messages.
 * Secrets are read for each attempt, go into its environment only, and are taken out of what it writes where they stand
 * as they are. Throws `cancelled`, `sandbox_unavailable` (policy `strict` where nothing isolates), and what is wrong
 * with arguments, secrets or the package.
 */
export function createScriptAttempt(parts: ScriptAttemptParts): Attempt {
  const { isolation = isolationInForce, now = Date.now } = parts;
  return async (call, context) => {
    const invocation = scriptOf(call);
    const { source } = call.operation;
    assertNotGone(call, context.signal);
    const isolated = await isolationOf(invocation, parts, isolation);
    if (call.dryRun) return described(call, invocation, isolated);
    const { skill, version } = invocation;
    const opened = await parts.packages.open(source, skill, version);
    try {
      const values = await valuesOf(call, invocation, opened.folder, parts, context.signal);
      const input = inputOf(call, invocation, values);
      const found = await programOf(invocation, opened.folder);
      if ('missing' in found) return unavailable(call, found.missing);
      assertNotGone(call, context.signal);
      if (context.signal.aborted) return tooLate(call);
      const conceal = concealing(Object.values(values.secrets ?? {}));
      const plain = withoutFolder(opened.folder);
      const outcome = await runScript({
        ...input,
        program: found.program,
        args: [...found.first, ...input.args],
        cwd: opened.folder,
        timeoutMs: Math.max(1, context.deadline - now()),
        maxOutputBytes: MOST_OUTPUT,
        signal: context.signal,
        isolation: readable(isolated.isolation, found.read),
        conceal: (text, from) => (from === 'stderr' ? plain(conceal(text)) : conceal(text)),
        ...progressOf(call),
      });
      if (outcome.class === 'cancelled') assertNotGone(call, context.signal);
      if (outcome.class === 'spawn_failed') {
        if (invocation.interpreter !== undefined) forgetProgram(invocation.interpreter);
        else if (isMissing(outcome)) {
          const missing = await missingInterpreter(found.program, invocation.entry);
          if (missing !== undefined) return unavailable(call, missing);
        }
      }
      if (outcome.exitCode === NOT_FOUND && invocation.interpreter === undefined) {
        const missing = await missingByEnv(found.program, invocation.entry);
        if (missing !== undefined) return unavailable(call, missing);
      }
      return answerOf(outcome, call.tool, { isolation: isolated.isolation, plain });
    } finally {
      opened.release();
    }
  };
}

/** Throws what an attempt would where its isolation or a secret is missing. */
export function createScriptReady(
  parts: Pick<ScriptAttemptParts, 'secrets' | 'policy' | 'isolation'>,
): NonNullable<Executor['ready']> {
  return async (call, { signal }) => {
    const invocation = scriptOf(call);
    await isolationOf(invocation, parts, parts.isolation ?? isolationInForce);
    await secretsOf(call, invocation, parts, signal);
  };
}

function scriptOf({ operation }: Call): ScriptInvocation {
  if (operation.invocation.kind === 'script') return operation.invocation;
  throw new ToolcribError('internal', `${operation.id} is no program of a skill.`);
}

/** A call whose time is up is not gone: whether it took effect is a question. */
function assertNotGone({ tool }: Call, signal: AbortSignal): void {
  if (signal.aborted && !isTimeout(signal.reason))
    throw new ToolcribError('cancelled', `The call of ${tool} was cancelled.`);
}

interface ChosenIsolation {
  readonly isolation: ScriptIsolation;
  /** For people. */
  readonly text: string;
}

async function isolationOf(
  { skill, network }: ScriptInvocation,
  { policy }: Pick<SkillParts, 'policy'>,
  inForce: () => Promise<IsolationInForce>,
): Promise<ChosenIsolation> {
  const { mode } = policy();
  if (mode === 'permissive') return { isolation: 'none', text: 'none: policy permissive' };
  const status = await inForce();
  if (status.available) return { isolation: { network, read: [], write: [] }, text: isolationText(status) };
  if (mode === 'balanced') return { isolation: 'none', text: `none: ${status.reason}` };
  throw new ToolcribError(
    'sandbox_unavailable',
    `A script of the skill ${skill} runs only in isolation, and ${status.reason}.`,
  );
}

function readable(isolation: ScriptIsolation, read: readonly string[]): ScriptIsolation {
  return isolation === 'none' ? isolation : { ...isolation, read };
}

async function valuesOf(
  call: Call,
  invocation: ScriptInvocation,
  folder: string,
  parts: Pick<SkillParts, 'secrets'>,
  signal: AbortSignal,
): Promise<TemplateValues> {
  const secrets = await secretsOf(call, invocation, parts, signal);
  return { args: call.arguments, context: templateContext(call, invocation.skill, folder), secrets };
}

async function secretsOf(
  { operation }: Call,
  { skill, env }: ScriptInvocation,
  { secrets: reader }: Pick<SkillParts, 'secrets'>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const secrets: Record<string, string> = Object.create(null);
  for (const { namespace, path } of templateNames(env ?? {})) {
    const name = path.join('.');
    if (namespace === 'secrets' && !(name in secrets))
      secrets[name] = await reader.read(operation.source, skill, name, undefined, signal);
  }
  return secrets;
}

/** Secrets go into variables, which nobody else can read, and nowhere else: arguments stand in lists of processes. */
function inputOf(
  call: Call,
  invocation: ScriptInvocation,
  values: TemplateValues,
): Pick<ScriptRun, 'args' | 'env'> & { readonly stdin?: string } {
  const open = { args: values.args, context: values.context };
  const { args, env } = invocation;
  const text = stdinOf(call.arguments, invocation, open);
  const variables = Object.entries(env ?? {}).map(([name, template]) => [
    name,
    renderText(template, values, undefined, ['env', name]),
  ]);
  return {
    args: renderArguments(args ?? [], open, elsewhere(invocation)),
    env: Object.fromEntries(variables),
    ...(text === undefined ? {} : { stdin: text }),
  };
}

/** Where a manifest says nothing about input, the arguments are it. */
function stdinOf(
  given: JsonObject,
  { args, stdin, stdinText }: Pick<ScriptInvocation, 'args' | 'stdin' | 'stdinText'>,
  values: TemplateValues,
): string | undefined {
  if (stdinText !== undefined) {
    const text = renderText(stdinText, values, undefined, ['stdin_text']);
    if (text.isWellFormed()) return text;
    throw new ToolcribError('arguments_invalid', 'The text for standard input has half a character in it.');
  }
  if (stdin !== undefined) return JSON.stringify(renderTree(stdin, values, ['stdin']));
  return args === undefined ? JSON.stringify(given) : undefined;
}

async function programOf(
  { entry, interpreter }: ScriptInvocation,
  folder: string,
): Promise<(ResolvedProgram & { readonly first: readonly string[] }) | { readonly missing: string }> {
  const script = join(folder, entry);
  try {
    // microseconds; through the thread pool it would take longer than what it looks at
    if (!isWithin(realpathSync.native(script), [realpathSync.native(folder)]))
      return { missing: `${entry} leads out of its package` };
  } catch {
    return { missing: `${entry} is not in its package` };
  }
  if (interpreter === undefined) return { program: script, read: [], first: [] };
  const found = await resolveProgram(interpreter);
  return found === undefined
    ? { missing: `there is no program ${interpreter}` }
    : { ...found, first: [script] };
}

function unavailable({ tool }: Call, why: string): AttemptOutcome {
  const error = new ToolcribError('script_unavailable', `The script of ${tool} did not start: ${why}.`);
  return { kind: 'failed', error, ran: 'no', final: true, latencyMs: 0 };
}

function tooLate({ tool }: Call): AttemptOutcome {
  const message = `There was no time left to start the script of ${tool}.`;
  return { kind: 'failed', error: new ToolcribError('deadline_exceeded', message), ran: 'no', latencyMs: 0 };
}

function concealing(secrets: readonly string[]): (text: string) => string {
  const forms = plainForms(secrets.filter(({ length }) => length >= SHORTEST_ECHO));
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, MASK), text);
}

function progressOf({ channel }: Call): Pick<ScriptRun, 'onLine'> {
  if (channel.progress === undefined) return {};
  let told = 0;
  return { onLine: (line) => void channel.progress?.(++told, undefined, line).catch(() => undefined) };
}

/** What is rendered beside the arguments of the program. */
function elsewhere({ env = {}, stdin, stdinText }: ScriptInvocation): Json {
  return [env, stdin ?? null, stdinText ?? null];
}

/** What would be started. No secret is read, no package opened, nothing runs. */
function described(
  call: Call,
  invocation: ScriptInvocation,
  { isolation, text }: ChosenIsolation,
): AttemptOutcome {
  const { skill, entry, interpreter, env = {}, args } = invocation;
  const values = { args: call.arguments, context: templateContext(call, skill, '{{context.skill_dir}}') };
  const input = stdinOf(call.arguments, invocation, values);
  const structured: JsonObject = {
    program: interpreter ?? entry,
    argv: [
      ...(interpreter === undefined ? [] : [entry]),
      ...renderArguments(args ?? [], values, elsewhere(invocation)),
    ],
    stdin: input ?? null,
    env: Object.keys(env),
    isolation: text,
    network: isolation === 'none' || isolation.network,
  };
  return { kind: 'done', result: { kind: 'value', structured } };
}
