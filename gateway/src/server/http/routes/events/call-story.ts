import { ERRORS, ToolcribError } from '../../../../errors.ts';
import type {
  Access,
  CallEvent,
  CallStep,
  Event,
  JsonObject,
  Principal,
} from '../../../../operations/index.ts';
import type { GatewayAdmin } from '../../admin/gateway-admin.ts';
import { profileOf } from '../../profile-of.ts';
import { shownTo } from '../../shown-events.ts';

/** Everything that is known of one call. */
export interface CallStory {
  readonly call: string;
  /**
   * `running`: it has no end yet; `waiting`: nor a person's decision, which it waits for; `asked`: it ended with the
   * question to a person, and is made again once they agreed.
   */
  readonly state: 'waiting' | 'running' | 'completed' | 'asked' | 'failed';
  readonly tool: string;
  readonly operation: string;
  readonly source: string;
  readonly access: Access;
  readonly principal: string;
  readonly organisation?: string;
  readonly run?: string;
  /** W3C trace id. */
  readonly trace?: string;
  /** Nothing was sent: the request was only built. */
  readonly dryRun?: true;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs?: number;
  /** HTTP status of the upstream. */
  readonly status?: number;
  /** Arguments as its start event has them: redacted, cut. */
  readonly input?: JsonObject;
  /** What a person who approved it made of them: what was carried out. */
  readonly edited?: JsonObject;
  readonly summary?: string;
  /** Id of the stored full output. */
  readonly artifact?: string;
  /** Id of the approval that it asked for or used up. */
  readonly approval?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly next: string };
  readonly steps: readonly CallStep[];
  readonly stepsLeftOut?: number;
  /** Oldest first, the start and the end included. */
  readonly events: readonly Event[];
}

const OF_APPROVALS = [
  'approval-requested',
  'approval-decided',
  'approval-used',
  'approval-void',
] as const satisfies Event['type'][];
/** Events of an upstream that a call's story shows. */
const UPSTREAM_EVENTS = 20;

/** The story of a call that this caller may see. Throws `not_found`, the same for what is unknown and what is not shown. */
export async function callStory(
  gateway: GatewayAdmin,
  principal: Principal,
  call: string,
): Promise<CallStory> {
  const { organisation } = principal;
  const shows = shownTo(principal, await profileOf(gateway, principal));
  const own = organisation === undefined ? {} : { organisation };
  const named = (await gateway.events(undefined, { call, ...own })).filter(shows);
  const start = named.find((event): event is Event & CallEvent => event.type === 'call-started');
  const end = named.find(
    (event): event is Event & CallEvent => event.type === 'call-completed' || event.type === 'call-failed',
  );
  const known = end ?? start;
  if (known === undefined) throw new ToolcribError('not_found', `There is no call ${call}.`);
  const approvals = new Set(named.flatMap((event) => ('approval' in event ? (event.approval ?? []) : [])));
  const others = await Promise.all([
    ...[...approvals].map((approval) => gateway.events(undefined, { approval, type: OF_APPROVALS, ...own })),
    upstreamEvents(gateway, start, end),
  ]);
  const events = inOrder([...named, ...others.flat().filter(shows)]);
  return {
    call,
    state: end === undefined ? openState(events) : endState(end),
    ...whoAndWhat(known),
    startedAt: start?.time ?? new Date(Date.parse(known.time) - (known.durationMs ?? 0)).toISOString(),
    ...(start?.input === undefined ? {} : { input: start.input }),
    ...(approvalOf(known, events) ?? {}),
    ...(end === undefined ? {} : endOf(end)),
    steps: end?.steps ?? [],
    ...(end?.stepsLeftOut === undefined ? {} : { stepsLeftOut: end.stepsLeftOut }),
    events,
  };
}

/** Each once, as the log has them. */
function inOrder(events: readonly Event[]): readonly Event[] {
  const bySequence = new Map(events.map((event) => [event.sequence, event]));
  return [...bySequence.values()].sort((one, other) => one.sequence - other.sequence);
}

function whoAndWhat({
  tool,
  operation,
  source,
  access,
  principal,
  organisation,
  run,
  trace,
  dryRun,
}: CallEvent) {
  return {
    tool,
    operation,
    source,
    access,
    principal,
    ...(organisation === undefined ? {} : { organisation }),
    ...(run === undefined ? {} : { run }),
    ...(trace === undefined ? {} : { trace }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
}

function endOf({
  input,
  durationMs,
  status,
  summary,
  artifact,
  type,
  code = 'internal',
  message = '',
  next,
}: CallEvent) {
  const rows: Readonly<Record<string, { readonly next: string } | undefined>> = ERRORS;
  return {
    ...(input === undefined ? {} : { edited: input }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(status === undefined ? {} : { status }),
    ...(summary === undefined ? {} : { summary }),
    ...(artifact === undefined ? {} : { artifact }),
    ...(type === 'call-failed' ? { error: { code, message, next: next ?? rows[code]?.next ?? '' } } : {}),
  };
}

function endState({ type, code }: CallEvent): CallStory['state'] {
  if (type === 'call-completed') return 'completed';
  return code === 'approval_required' ? 'asked' : 'failed';
}

/** The last word about its approval counts: what was asked and not decided is waited for. */
function openState(events: readonly Event[]): 'waiting' | 'running' {
  const last = events.findLast((event) => event.type.startsWith('approval-'));
  return last !== undefined && 'state' in last && last.state === 'pending' ? 'waiting' : 'running';
}

function approvalOf(
  { approval }: CallEvent,
  events: readonly Event[],
): { readonly approval: string } | undefined {
  const named = approval ?? events.flatMap((event) => ('approval' in event ? [event.approval] : [])).at(-1);
  return named === undefined ? undefined : { approval: named };
}

/** What became of its source's server meanwhile. */
async function upstreamEvents(
  gateway: GatewayAdmin,
  start: (Event & CallEvent) | undefined,
  end: (Event & CallEvent) | undefined,
): Promise<readonly Event[]> {
  if (start === undefined) return [];
  return gateway.events(start.sequence, {
    type: ['upstream-started', 'upstream-stopped', 'upstream-failed', 'upstream-unasked'],
    source: start.source,
    limit: UPSTREAM_EVENTS,
    ...(end === undefined ? {} : { before: end.sequence }),
  });
}
