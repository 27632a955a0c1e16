/** W3C Trace Context of a request, as its headers have it. `tracestate` means nothing without `traceparent`. */
export interface TraceFields {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** W3C Trace Context, level 1: what `traceparent` says. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the caller's span. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for what the specification says to ignore (§3.2.2): version ff, zero ids, a longer version 00. */
export function parseTraceparent(value: unknown): TraceParent | undefined {
  if (typeof value !== 'string' || value.length > 512) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Level 2, §3.3: members of vendors, in their order. What a sender has in several headers comes joined by commas. */
const MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MOST_MEMBERS = 32;
/** That much is to be passed on at least (§3.3.1.5); it is the most here. */
const MAX_STATE = 512;

/** What others said of a request, less what cannot be read: one broken member costs the whole state (§3.3.1). */
export function readTrace(traceparent: unknown, tracestate: unknown): TraceFields {
  if (parseTraceparent(traceparent) === undefined) return NONE;
  const parent = traceparent as string;
  const state = readState(tracestate);
  return state === undefined ? { traceparent: parent } : { traceparent: parent, tracestate: state };
}

function readState(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_STATE) return undefined;
  const members = value.split(',').flatMap((member) => member.trim() || []);
  const isState = members.length > 0 && members.length <= MOST_MEMBERS;
  return isState && members.every((member) => MEMBER.test(member)) ? members.join(',') : undefined;
}

const NONE: TraceFields = Object.freeze({});

/** The trace of a request, for whatever goes out because of it. */
export function traceOf({ traceparent, tracestate }: TraceFields): TraceFields {
  if (traceparent === undefined) return NONE;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
