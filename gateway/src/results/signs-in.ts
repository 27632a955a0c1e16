import { isObject, isRequest, type Operation } from '../operations/index.ts';
import { targetPhrase } from '../operations/target.ts';

const SIGNING_IN = /\b(?:log ?[io]n|sign ?[io]n|authenticate|authentication|auth|token|sessions?)\b/;
const PASSWORD = /^(?:password|passwd|passphrase|passcode|pin|otp)$/i;
/** Asked for only to prove who changes it: `original_password`, `currentPassword`. */
const PRESENT_PASSWORD =
  /^(?:old|current|original|existing|previous)[_-]?(?:password|passwd|passphrase|passcode|pin)$/i;
/** As deep as `auth.identity.password` in a body. */
const MAX_DEPTH = 3;

/**
 * Whether an operation proves who somebody is by what its arguments hold: `POST /auth/login` with a password, or a new
 * password with the present one. Its refusal says nothing of the credential that the source has.
 */
export function signsIn(operation: Operation): boolean {
  const { invocation, input, access } = operation;
  if (access === 'read' && isRequest(invocation) && invocation.method === 'GET') return false;
  const isSigningIn = SIGNING_IN.test(targetPhrase(operation));
  return hasMember(input, (name) => PRESENT_PASSWORD.test(name) || (isSigningIn && PASSWORD.test(name)));
}

/** Among the arguments, or the members of a body. */
function hasMember(schema: unknown, isMeant: (name: string) => boolean, depth = 0): boolean {
  if (!isObject(schema) || !isObject(schema['properties'])) return false;
  return Object.entries(schema['properties']).some(
    ([name, property]) => isMeant(name) || (depth < MAX_DEPTH && hasMember(property, isMeant, depth + 1)),
  );
}
