import { randomUUID } from 'node:crypto';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import {
  type Call,
  type InputRequest,
  type InputRequiredResult,
  isObject,
  type Json,
  type Principal,
} from '../../operations/index.ts';
import type { ConnectorRoom } from './connector-room.ts';

/** Key of our one question in an InputRequiredResult. */
const QUESTION = 'consent';
/** Where its state says which connection was asked about. */
const STATE = 'toolcrib/consent';

/** A call to a connection at which nobody is signed in. */
export interface Unsigned {
  readonly call: Call;
  readonly connection: string;
  readonly room: ConnectorRoom;
  readonly signal: AbortSignal;
}

/** What became of it: sign-in happened, or the client is asked, or the caller has to be told. */
export type SignedIn = { readonly kind: 'connected'; readonly askedMs: number } | InputRequiredResult;

/** By its roles: whoever has the link can put another account in the place of a shared one. */
export function isAdmin({ kind, roles }: Principal): boolean {
  return kind !== 'user' || roles.some((role) => ADMINS.has(role.toUpperCase()));
}
const ADMINS: ReadonlySet<string> = new Set(['ADMIN', 'ADMINISTRATOR']);

/** True: the client can open an address for its person (MCP, elicitation in URL mode). */
export function opensLinks({ channel }: Call): boolean {
  const elicitation = channel.clientCapabilities?.['elicitation'];
  return isObject(elicitation) && isObject(elicitation['url']);
}

/**
 * Has the person at the client sign the connection in: at once where the client's connection stays open for questions,
 * else by the result that asks for it. `deadline`: milliseconds since the epoch, without the time of the question.
 * Throws `reconnect_required` with the link where the client cannot, or the person did not.
 */
export async function signIn(unsigned: Unsigned, link: string, deadline: number): Promise<SignedIn> {
  const { call, connection, room, signal } = unsigned;
  if (!opensLinks(call)) throw notSignedIn(connection, link);
  const { ask } = call.channel;
  const request = question(connection, link);
  if (ask === undefined) {
    return { kind: 'input_required', requests: { [QUESTION]: request }, state: { [STATE]: { connection } } };
  }
  const began = Date.now();
  const answer = await ask(request, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  const askedMs = Date.now() - began;
  if (!isAccepted(answer)) throw notSignedIn(connection, link);
  const left = deadline + askedMs - Date.now();
  if (!(await room.whenConnected(connection, Math.max(1, left), signal))) throw notSignedIn(connection, link);
  return { kind: 'connected', askedMs };
}

/**
 * What the client answered to the question of an earlier round of this call. `accepted`: the person opened the page;
 * `none`: nothing was asked, or not about this connection.
 */
export function earlierAnswer({ channel }: Call, connection: string): 'none' | 'accepted' | 'refused' {
  const { requestState, inputResponses } = channel;
  const state = isObject(requestState) ? requestState[STATE] : undefined;
  if (!isObject(state) || state['connection'] !== connection) return 'none';
  if (inputResponses === undefined || !Object.hasOwn(inputResponses, QUESTION)) return 'none';
  return isAccepted(inputResponses[QUESTION]) ? 'accepted' : 'refused';
}

/** Words that clients of connectors know, with the link. */
export function notSignedIn(connection: string, link: string): ToolcribError {
  const said = `Connection "${connection}" is not authenticated.`;
  return new ToolcribError('reconnect_required', said, {
    details: { link, connection },
    text: `${said}\n\nPlease open this URL to consent:\n${link}\n\nAfter consenting, retry this tool call.`,
  });
}

/** For callers who may not have the link. */
export function adminSignsIn(connection: string): ToolcribError {
  const said = `Connection "${connection}" is not authenticated.`;
  const next = `An admin gets the page to consent at with the tool get_consent_link (connectionName "${connection}").`;
  return new ToolcribError('reconnect_required', said, {
    details: { connection },
    next,
    text: `${said}\n\n${next}\n\nAfter consenting, retry this tool call.`,
  });
}

/** No link could be had; `prefix` is how failures of this operation begin. */
export function withoutLink(connection: string, prefix: string, cause: unknown): ToolcribError {
  const why = isToolcribError(cause) ? cause.message : 'the reason is not known';
  const message = `Connection "${connection}" is not authenticated, and Azure gave no link to consent at: ${why}`;
  const next = isToolcribError(cause)
    ? cause.next
    : 'Sign the connection in at the Azure portal, then call again.';
  return new ToolcribError('reconnect_required', message, {
    details: { connection },
    next,
    text: `${prefix}${message}\n${next}`,
    cause,
  });
}

function question(connection: string, url: string): InputRequest {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'url',
      message: `Connection "${connection}" is not authenticated. Open the page and sign in; the call then goes on.`,
      url,
      elicitationId: randomUUID(),
    },
  };
}

function isAccepted(answer: Json | undefined): boolean {
  return isObject(answer) && answer['action'] === 'accept';
}
