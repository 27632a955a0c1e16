import { parsePointer, valueAt } from '../operations/index.ts';

/** More, or longer ones, are no list of roles. */
const MAX_ROLES = 200;
const MAX_ROLE_LENGTH = 128;
/** What is not printed has no place in a name that people read and rules compare. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Who is signed in without any role may look, and no more. */
const WITHOUT_ROLES: readonly string[] = Object.freeze(['VIEWER']);

/** The answer to a probe as it came over the wire. */
export interface ProbeAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  /** No credential went with the question. */
  readonly isAnonymous?: boolean;
}

/** What an answer says: roles in upper case, sorted; or why it says none. */
export type ReadRoles =
  | { readonly status: 'known'; readonly roles: readonly string[] }
  | { readonly status: 'unauthenticated' | 'failed'; readonly reason: string };

/** 200 with a list of texts at the pointer gives roles, an empty list `VIEWER`; everything else gives none. */
export function readRoles({ status, body, isAnonymous }: ProbeAnswer, pointer: string): ReadRoles {
  const answered = `the service answered ${status}`;
  const unsent = isAnonymous && (status === 401 || status === 403) ? `${answered} ${UNSENT}` : undefined;
  if (status === 401)
    return { status: 'unauthenticated', reason: unsent ?? 'the service refuses the credential (401)' };
  if (status !== 200) return failed(unsent ?? answered);
  const tokens = parsePointer(pointer);
  if (tokens === undefined) return failed(`${pointer} is no JSON Pointer`);
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return failed('the answer is no JSON');
  }
  const roles = valueAt(answer, tokens);
  if (!isRoleList(roles)) return failed(`the answer has no list of roles at ${pointer || 'its root'}`);
  const named = [...new Set(roles.map(upperCase))].sort();
  return { status: 'known', roles: Object.freeze(named.length === 0 ? [...WITHOUT_ROLES] : named) };
}

const UNSENT =
  'and was sent no credential: `headers` of the source hold one where the description names no way to sign in';

function failed(reason: string): ReadRoles {
  return { status: 'failed', reason };
}

function isRoleList(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_ROLES &&
    value.every(
      (role) =>
        typeof role === 'string' &&
        role.trim() !== '' &&
        role.length <= MAX_ROLE_LENGTH &&
        !UNSEEN.test(role.trim()),
    )
  );
}

/** Letters of ASCII only: of others, upper case may be the letter of another role (`ı` is not `i`). */
function upperCase(role: string): string {
  return role.trim().replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
