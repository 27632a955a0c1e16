import type { ErrorCode } from '../../errors.ts';
import type { Call, DynamicToolEvent, ScriptInvocation, TemplateInvocation } from '../../operations/index.ts';
import type { SkillParts } from './skill-parts.ts';
import { declaredName } from './template-context.ts';

/** How something ended, for an event. */
interface Told {
  readonly status: DynamicToolEvent['status'];
  readonly latencyMs: number;
  readonly attempt?: number;
  readonly code?: ErrorCode;
  readonly message?: string;
}

export type CallEvents = (
  type: Extract<DynamicToolEvent['type'], `dynamic_tool.${'call' | 'retry' | 'failed' | 'degraded'}`>,
  told: Told,
) => void;

/**
 * Tells what becomes of one call. Messages are ours alone: what services and programs say may hold secrets and content,
 * which are for the caller, not for the log.
 */
export function callEvents(
  { note }: Pick<SkillParts, 'note'>,
  call: Call,
  invocation: ScriptInvocation | TemplateInvocation,
): CallEvents {
  const { principal, run, operation } = call;
  const about = {
    source: operation.source,
    skill_id: invocation.skill,
    tool_name: declaredName(call, invocation.skill),
    executor: invocation.kind === 'script' ? ('script' as const) : ('http' as const),
    call: call.id,
    ...(run === undefined ? {} : { run }),
    principal: principal.id,
    ...(principal.organisation === undefined ? {} : { organisation: principal.organisation }),
  };
  return (type, { status, latencyMs, attempt, code, message }) =>
    note({
      type,
      ...about,
      ...(attempt === undefined ? {} : { attempt }),
      latency_ms: Math.max(0, Math.round(latencyMs * 100) / 100),
      status,
      ...(code === undefined ? {} : { error_code: code }),
      ...(message === undefined ? {} : { message }),
    });
}
