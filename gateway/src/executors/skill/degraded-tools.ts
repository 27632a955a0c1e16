import { isOfSkill, type Operation, type SkillPolicy } from '../../operations/index.ts';
import { declaredName } from './template-context.ts';

/** A tool that failed so often that it pauses, until a call of it succeeds. */
export interface DegradedTool {
  readonly source: string;
  readonly skill: string;
  readonly tool: string;
  readonly version: string;
  /** Calls in a row that failed after all attempts. */
  readonly failures: number;
  /** Milliseconds since the epoch; after it one call may try. */
  readonly pausedUntil: number;
}

/** May this call go on? */
export type Admission =
  | { readonly kind: 'open' }
  /** It decides whether the tool recovers: end it by `failed`, `succeeded` or `undecided`. */
  | { readonly kind: 'trial' }
  | { readonly kind: 'paused'; readonly untilMs: number };

export interface DegradedTools {
  admit(operation: Operation): Admission;
  /** A call failed for good. Answers with the pause, where one begins. */
  failed(
    operation: Operation,
    admission: Admission,
  ): { readonly pauseMs: number; readonly failures: number } | undefined;
  /** True: the tool was degraded, and has recovered. */
  succeeded(operation: Operation): boolean;
  /** The call ended without saying anything about the tool. */
  undecided(operation: Operation, admission: Admission): void;
  /** Set from the first pause until a call succeeds. */
  markOf(operation: Operation): DegradedTool | undefined;
  /** Calls are answered `dynamic_tool_degraded` at this moment. */
  isPaused(operation: Operation): boolean;
  /** What the descriptions of a source's degraded tools end in, by id of their operations; undefined: none is. */
  marks(source: string): Readonly<Record<string, string>> | undefined;
  /** Every degraded tool. */
  list(): readonly DegradedTool[];
  /** Forgets the versions of a skill that are gone; what still runs of them ends without a trace. */
  keepOnly(source: string, skill: string, version: string): void;
}

export interface DegradedToolsOptions {
  /** As it counts now. */
  readonly policy: () => Pick<SkillPolicy, 'degradeAfter' | 'coolDownMs' | 'maxCoolDownMs'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** A tool of this source was degraded or has recovered: lists that show it differ. */
  readonly changed?: (source: string) => void;
}

/** Without a time: it stands in lists that change only when a tool recovers. */
export const DEGRADED_MARK = ' ⚠️ Degraded: its last calls failed';

interface Health {
  /** Of the operation. */
  readonly id: string;
  readonly source: string;
  readonly skill: string;
  readonly tool: string;
  readonly version: string;
  failures: number;
  pauses: number;
  /** 0: it never paused. */
  pausedUntil: number;
  trying: boolean;
}

/** Tools that failed last time; the one that failed longest ago is forgotten first. */
const MOST_TOOLS = 1000;
/** What a caller is told who comes while another one tries, milliseconds. */
const TRIAL_MS = 1000;

/**
 * A breaker for each tool of a skill, in each of its versions: a changed skill starts afresh. Kept in this process:
 * another one learns by itself. After the pause one call goes through while others are still turned away.
 */
export function createDegradedTools(options: DegradedToolsOptions): DegradedTools {
  const { policy, now = Date.now, changed = () => undefined } = options;
  const tools = new Map<string, Health>();

  const healthOf = (operation: Operation) => tools.get(keyOf(operation));

  /** Moved to the end: the map is in the order of the last failures. */
  const touched = (operation: Operation): Health => {
    const key = keyOf(operation);
    const health = tools.get(key) ?? newHealth(operation);
    tools.delete(key);
    tools.set(key, health);
    if (tools.size > MOST_TOOLS) forgetOldest();
    return health;
  };

  const forgetOldest = () => {
    const [[key, health]] = tools as unknown as [[string, Health]];
    tools.delete(key);
    if (health.pausedUntil > 0) changed(health.source);
  };

  const degradedOnes = () => [...tools.values()].filter(({ pausedUntil }) => pausedUntil > 0);

  const waitOf = (health: Health | undefined): number => {
    if (health === undefined || health.pausedUntil === 0) return 0;
    const left = health.pausedUntil - now();
    // longer than any pause: the clock was set back
    const isPaused = left > 0 && left <= policy().maxCoolDownMs;
    return isPaused ? left : health.trying ? TRIAL_MS : 0;
  };

  return {
    admit(operation) {
      const health = healthOf(operation);
      if (health === undefined || health.pausedUntil === 0) return { kind: 'open' };
      const untilMs = waitOf(health);
      if (untilMs > 0) return { kind: 'paused', untilMs };
      health.trying = true;
      return { kind: 'trial' };
    },
    failed(operation, admission) {
      const health = touched(operation);
      health.failures++;
      const isTrial = admission.kind === 'trial';
      if (isTrial) health.trying = false;
      const { degradeAfter, coolDownMs, maxCoolDownMs } = policy();
      const wasDegraded = health.pausedUntil > 0;
      // calls that began before the pause end in it: they are no further trials
      if (wasDegraded ? !isTrial : health.failures < degradeAfter) return undefined;
      const pauseMs = Math.min(coolDownMs * 2 ** Math.min(health.pauses, 30), maxCoolDownMs);
      health.pauses++;
      health.pausedUntil = now() + pauseMs;
      if (!wasDegraded) changed(health.source);
      return { pauseMs, failures: health.failures };
    },
    succeeded(operation) {
      const health = healthOf(operation);
      if (health === undefined) return false;
      tools.delete(keyOf(operation));
      if (health.pausedUntil === 0) return false;
      changed(health.source);
      return true;
    },
    undecided(operation, admission) {
      const health = healthOf(operation);
      if (health !== undefined && admission.kind === 'trial') health.trying = false;
    },
    markOf(operation) {
      const health = healthOf(operation);
      return health === undefined || health.pausedUntil === 0 ? undefined : markOf(health);
    },
    isPaused: (operation) => waitOf(healthOf(operation)) > 0,
    marks(source) {
      const own = degradedOnes().filter((health) => health.source === source);
      return own.length === 0 ? undefined : Object.fromEntries(own.map(({ id }) => [id, DEGRADED_MARK]));
    },
    list: () => degradedOnes().map(markOf),
    keepOnly(source, skill, version) {
      let differs = false;
      for (const [key, health] of tools) {
        if (health.source !== source || health.skill !== skill || health.version === version) continue;
        tools.delete(key);
        differs ||= health.pausedUntil > 0;
      }
      if (differs) changed(source);
    },
  };
}

function newHealth(operation: Operation): Health {
  const { id, invocation, source } = operation;
  const { skill, version } = isOfSkill(invocation) ? invocation : { skill: '', version: '' };
  const tool = declaredName({ operation }, skill);
  return { id, source, skill, tool, version, failures: 0, pauses: 0, pausedUntil: 0, trying: false };
}

function keyOf({ source, id, invocation }: Operation): string {
  return JSON.stringify([source, id, isOfSkill(invocation) ? invocation.version : '']);
}

function markOf({ source, skill, tool, version, failures, pausedUntil }: Health): DegradedTool {
  return { source, skill, tool, version, failures, pausedUntil };
}
