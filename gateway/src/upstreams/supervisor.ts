import { type ErrorCode, ToolcribError } from '../errors.ts';
import type { UpstreamEvent } from '../operations/index.ts';
import { createBackOff, PROVEN_MS } from './back-off.ts';
import { openSession, type Session, type SessionOptions } from './session/session.ts';
import { hasNoProgram, startError } from './start-error.ts';
import type { OpenedTransport, TransportFault } from './transports/transport.ts';
import { createUnaskedNotice } from './unasked-notice.ts';
import type { UpstreamState } from './upstreams.ts';
import { createWaitingRoom } from './waiting-room.ts';

export interface SupervisorOptions extends Omit<SessionOptions, 'onUnasked' | 'onEnd' | 'onOpened'> {
  record(event: UpstreamEvent): void;
  /** Takes secrets out of what a server answered. */
  redact(text: string): string;
  /** Whether somebody listens for changes, so that it is started again without a call. */
  isWanted(): boolean;
  followed(): ReadonlySet<string>;
  /** Transports whose processes are killed when our own process ends. */
  readonly transports: Set<OpenedTransport>;
}

/** Keeps one session alive: starts it when asked, again after a fault, stops it when idle. */
export interface Supervisor {
  /** The running session, or the next one; waits at most until the deadline, and 5 seconds while it is failing. */
  acquire(signal: AbortSignal, deadline: number): Session | Promise<Session>;
  /** A call ended: the idle time starts anew. */
  release(): void;
  /** Counts as a call in flight until the returned function is called: for work that goes on between requests. */
  hold(): () => void;
  refollow(): void;
  /** Another connection takes this one's place as soon as no call is in flight. */
  renew(): void;
  state(): UpstreamState;
  /** Of the running session. */
  readonly opened: OpenedTransport | undefined;
  /** Milliseconds since the epoch. */
  readonly lastUsed: number;
  readonly busy: number;
  /** Lets calls in flight end where they are, then ends. */
  retire(): Promise<void>;
  end(): Promise<void>;
}

/** A failing server is waited for no longer than this. */
const PATIENCE_MS = 5_000;
/** A call that comes while waiting does not wait for the back-off, but attempts are at least this far apart. */
const APART_MS = 250;
/** Errors that another attempt in a moment does not mend. */
const STANDING: ReadonlySet<ErrorCode> = new Set([
  'isolation_unavailable',
  'authorization_required',
  'credentials_missing',
  'credentials_refused',
  'egress_blocked',
  'configuration_invalid',
]);

type Phase = 'idle' | 'starting' | 'running' | 'waiting' | 'failed' | 'stopped';

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { definition, record, transports } = options;
  const { name } = definition;
  const life = new AbortController();
  const backOff = createBackOff();
  const waiting = createWaitingRoom<Session>();
  const unasked = createUnaskedNotice(name, record);
  let phase: Phase = 'idle';
  let session: Session | undefined;
  let starting: Promise<void> | undefined;
  let previous: Promise<void> | undefined;
  let lastError: ToolcribError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let retryAt = 0;
  let attemptedAt = 0;
  let startedAt = 0;
  let lastUsed = Date.now();
  let restarts = 0;
  let held = 0;
  let retired: (() => void) | undefined;
  /** Its place is taken by the next one, which may list other things. */
  let renewing: Session | undefined;

  const start = () => {
    clearTimeout(timer);
    phase = 'starting';
    attemptedAt = Date.now();
    starting = attempt().finally(() => {
      starting = undefined;
    });
  };

  const attempt = async () => {
    let opened: OpenedTransport | undefined;
    try {
      // the old process may hold what the new one needs
      await previous;
      const next = await openSession(
        {
          ...options,
          onOpened(transport) {
            if (opened !== undefined) transports.delete(opened);
            opened = transport;
            transports.add(transport);
          },
          onEnd: (fault) => ended(fault),
          onUnasked: unasked,
        },
        life.signal,
      );
      const transport = next.opened;
      void next.gone.then(() => transports.delete(transport));
      if (life.signal.aborted) return void next.end();
      running(next);
    } catch (error) {
      if (opened !== undefined) transports.delete(opened);
      if (!life.signal.aborted) failed(startError(error, definition, options.redact));
    }
  };

  const running = (next: Session) => {
    session = next;
    phase = 'running';
    startedAt = Date.now();
    lastUsed = startedAt;
    const again = backOff.failures > 0 || restarts > 0 || renewing !== undefined;
    renewing = undefined;
    record({
      type: 'upstream-started',
      source: name,
      message: `The server "${name}" runs (${next.facts.era}).`,
    });
    next.follow(options.followed());
    waiting.admit(next);
    watchIdle();
    if (again) for (const change of ['tools', 'resources', 'prompts'] as const) options.onChange(change);
  };

  const ended = (fault: TransportFault | undefined) => {
    const last = session;
    if (last === undefined) return;
    session = undefined;
    previous = last.gone;
    clearTimeout(idleTimer);
    if (last.answered > 0 || Date.now() - startedAt > PROVEN_MS) {
      backOff.succeeded();
      // what was the matter before is not why the next start takes long
      lastError = undefined;
    }
    if (fault === undefined) {
      phase = life.signal.aborted ? 'stopped' : 'idle';
      record({ type: 'upstream-stopped', source: name, message: `The server "${name}" was stopped.` });
      return;
    }
    restarts += 1;
    failed(new ToolcribError('upstream_unavailable', `The server "${name}" failed: ${fault.message}`));
  };

  const failed = (error: ToolcribError) => {
    lastError = error;
    const retryInMs = backOff.failed(Date.now());
    if (backOff.failures === 1) waiting.shorten(Date.now() + PATIENCE_MS);
    const again = definition.restart && !STANDING.has(error.code);
    record({
      type: 'upstream-failed',
      source: name,
      message: error.message,
      ...(again && (waiting.size > 0 || options.isWanted()) ? { retryInMs } : {}),
    });
    phase = again ? 'waiting' : 'failed';
    if (!again || isFinal(error)) waiting.refuse(() => unavailable(error));
    if (again) schedule(retryInMs);
    if (retired !== undefined) retired();
  };

  const schedule = (inMs: number) => {
    clearTimeout(timer);
    retryAt = Date.now() + inMs;
    timer = setTimeout(() => {
      // without a caller or a listener it stays down until somebody asks
      if (phase === 'waiting' && (waiting.size > 0 || options.isWanted())) start();
    }, inMs);
    if (waiting.size === 0) timer.unref();
  };

  const unavailable = (error = lastError): ToolcribError => {
    if (error !== undefined && error.code !== 'upstream_unavailable') return error;
    const retryInMs = phase === 'waiting' ? Math.max(retryAt - Date.now(), 0) : undefined;
    const because = error?.message ?? `The server "${name}" is not ready yet.`;
    return new ToolcribError('upstream_unavailable', because, {
      ...(error === undefined ? {} : { next: error.next }),
      ...(retryInMs === undefined ? {} : { details: { retryInMs, until: Date.now() + retryInMs } }),
      cause: error,
    });
  };

  const kick = () => {
    if (phase === 'idle') return start();
    if (phase === 'failed') return start();
    if (phase !== 'waiting') return;
    // a clock that was set back says nothing of the time between
    const apart = Math.abs(Date.now() - attemptedAt);
    if (apart >= APART_MS) start();
    else schedule(Math.min(APART_MS - apart, Math.max(retryAt - Date.now(), 0)));
  };

  const inFlight = () => (session?.busy ?? 0) + held;

  const replace = () => {
    if (renewing === undefined || renewing !== session || inFlight() > 0) return;
    void session.end();
    if (waiting.size > 0 || options.isWanted()) start();
  };

  const release = () => {
    lastUsed = Date.now();
    replace();
    if (retired !== undefined && inFlight() === 0) retired();
  };

  const watchIdle = () => {
    if (definition.idleMs <= 0 || definition.transport.kind !== 'stdio') return;
    const left = definition.idleMs - (Date.now() - lastUsed);
    idleTimer = setTimeout(
      () => {
        if (session === undefined) return;
        const isIdle = inFlight() === 0 && options.followed().size === 0;
        if (isIdle && Date.now() - lastUsed >= definition.idleMs) void session.end();
        else watchIdle();
      },
      Math.max(left, 50),
    );
    idleTimer.unref();
  };

  const end = async () => {
    phase = 'stopped';
    life.abort(new ToolcribError('upstream_unavailable', `The server "${name}" was taken away.`));
    clearTimeout(timer);
    clearTimeout(idleTimer);
    waiting.refuse(() => new ToolcribError('upstream_unavailable', `The server "${name}" was taken away.`));
    await Promise.all([starting, session?.end(), previous]);
    phase = 'stopped';
  };

  return {
    acquire(signal, deadline) {
      lastUsed = Date.now();
      if (session !== undefined) return session;
      if (life.signal.aborted || retired !== undefined)
        throw new ToolcribError('upstream_unavailable', `The server "${name}" was taken away.`);
      const limit = backOff.failures > 0 ? Math.min(deadline, Date.now() + PATIENCE_MS) : deadline;
      const entered = waiting.enter(signal, limit, () => unavailable());
      if (!signal.aborted) kick();
      return entered;
    },
    release,
    hold() {
      held += 1;
      return () => {
        held -= 1;
        release();
      };
    },
    renew() {
      renewing = session;
      replace();
    },
    refollow() {
      session?.follow(options.followed());
    },
    state() {
      return {
        name,
        status: phase,
        restarts,
        ...(session === undefined ? {} : { era: session.facts.era }),
        ...(session?.opened.pid?.() === undefined ? {} : { pid: session.opened.pid() as number }),
        ...(lastError === undefined || phase === 'running' ? {} : { lastError: lastError.message }),
        ...(phase === 'waiting' ? { retryInMs: Math.max(retryAt - Date.now(), 0) } : {}),
      };
    },
    get opened() {
      return session?.opened;
    },
    get lastUsed() {
      return lastUsed;
    },
    get busy() {
      return inFlight() + waiting.size;
    },
    async retire() {
      if (session !== undefined && inFlight() > 0) {
        const idle = Promise.withResolvers<void>();
        retired = idle.resolve;
        await idle.promise;
      }
      await end();
    },
    end,
  };
}

/** A program that is not there, a sign-in that is missing: waiting callers are told at once. */
function isFinal(error: ToolcribError): boolean {
  if (STANDING.has(error.code)) return true;
  return hasNoProgram(error.cause);
}
