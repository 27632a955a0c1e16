import { createEchoes } from '../../credentials/echoes.ts';
import { type Egress, EgressFailure, type EgressResponse, type OutgoingRequest } from '../../egress/index.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { type Call, type Connection, type Operation, SKILL_LIMITS } from '../../operations/index.ts';
import type { Executor } from '../executor.ts';
import { redactRequest } from '../http/redact-request.ts';
import type { Attempt, AttemptOutcome } from '../skill/attempt.ts';
import type { SkillParts } from '../skill/skill-parts.ts';
import { templateContext } from '../skill/template-context.ts';
import { answered, unanswered } from './answer.ts';
import { maskedSecrets, secretNames } from './template-headers.ts';
import { templateRequest } from './template-request.ts';
import { originOfTemplate } from './template-url.ts';

export interface TemplateAttemptParts extends Pick<SkillParts, 'secrets'> {
  readonly egress: Pick<Egress, 'request'>;
  /** Looks at the address before anything is sent. Throws `path_blocked`. */
  readonly guard?: (url: string, connection: Connection, operation: Operation) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * One request of a skill's tool through the egress door. An answer of more than 2 MiB is `upstream_too_large`: half of a
 * JSON text is worse than none. Secrets that went out are taken out of what comes back. Throws `cancelled`, and what is
 * wrong with the tool, its secrets or its arguments.
 */
export function createTemplateAttempt(parts: TemplateAttemptParts): Attempt {
  const { egress, guard, now = Date.now } = parts;
  const echoes = createEchoes();
  return async (call, context): Promise<AttemptOutcome> => {
    const { operation } = call;
    const { connection, signal } = context;
    const { request, secrets } = await requestOf(call, signal, parts);
    guard?.(request.url, connection, operation);
    if (call.dryRun)
      return { kind: 'done', result: { kind: 'request', request: redactRequest(request, request) } };
    echoes.remember(request, secrets);
    const started = now();
    const latencyMs = () => now() - started;
    const limits = {
      timeoutMs: Math.max(1, context.deadline - started),
      maxBytes: Math.min(SKILL_LIMITS.httpBytes, operation.limits?.maxOutputBytes ?? SKILL_LIMITS.httpBytes),
      maxRedirects: connection.limits.maxRedirects,
    };
    let response: EgressResponse;
    try {
      response = await egress.request({ ...request, named: connection.named ?? [] }, limits, signal);
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      if (error.kind === 'cancelled')
        throw new ToolcribError('cancelled', `${error.message}.`, { cause: error });
      const failed = unanswered(error, latencyMs());
      const concealed = echoes.concealError(failed.error, request, connection);
      return isToolcribError(concealed) ? { ...failed, error: concealed } : failed;
    }
    return answered(echoes.concealAnswer(response, request, connection), {
      operation,
      attempt: context.attempt,
      latencyMs: latencyMs(),
      now: now(),
      maxTextLength: connection.limits.maxTextLength,
    });
  };
}

/** Throws what an attempt would: its arguments, its address or a secret does not do. */
export function createTemplateReady(
  parts: Pick<TemplateAttemptParts, 'secrets' | 'guard'>,
): NonNullable<Executor['ready']> {
  return async (call, { connection, signal }) => {
    const { request } = await requestOf(call, signal, parts);
    parts.guard?.(request.url, connection, call.operation);
  };
}

/** Secrets are read for each attempt anew, and not at all where nothing is sent. */
async function requestOf(
  call: Call,
  signal: AbortSignal,
  { secrets: reader }: Pick<TemplateAttemptParts, 'secrets'>,
): Promise<{ readonly request: OutgoingRequest; readonly secrets: readonly string[] }> {
  const { invocation, source } = call.operation;
  if (invocation.kind !== 'template')
    throw new ToolcribError('internal', `${call.operation.id} is no request of a skill.`);
  const { skill } = invocation;
  const open = { args: call.arguments, context: templateContext(call, skill) };
  const names = secretNames(invocation);
  if (names.length === 0) return { request: templateRequest(invocation, open), secrets: [] };
  // what is wrong with arguments is told before a secret is fetched for nothing
  const shown = templateRequest(invocation, { ...open, secrets: maskedSecrets(names) });
  if (call.dryRun) return { request: shown, secrets: [] };
  const origin = originOfTemplate(invocation.url);
  const values: Record<string, string> = Object.create(null);
  for (const name of names) {
    const secret = await reader.read(source, skill, name, origin, signal);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(secret))
      throw new ToolcribError(
        'configuration_invalid',
        `The secret ${name} holds line ends or other characters that no header can carry.`,
      );
    values[name] = secret;
  }
  const request = templateRequest(invocation, { ...open, secrets: values });
  return { request, secrets: Object.values(values) };
}
