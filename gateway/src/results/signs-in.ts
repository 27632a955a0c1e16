import { isObject, isRequest, type Operation } from '../operations/index.ts';
import { targetPhrase } from '../operations/target.ts';

const SIGNING_IN = /\b(?:log ?[io]n|sign ?[io]n|authenticate|authentication|auth|token|sessions?)\b/;
const PASSWORD = /^(?:password|passwd|passphrase|passcode|pin|otp)$/i;

/**
 * Whether an operation signs somebody in by what its arguments hold: `POST /auth/login` with a password. Its refusal
 * says nothing of the credential that the source has.
 */
export function signsIn(operation: Operation): boolean {
  const { invocation, input, access } = operation;
  if (access === 'read' && isRequest(invocation) && invocation.method === 'GET') return false;
  return SIGNING_IN.test(targetPhrase(operation)) && hasPassword(input);
}

/** Among the arguments, or the members of a body that stayed whole. */
function hasPassword(schema: unknown, depth = 0): boolean {
  if (!isObject(schema) || !isObject(schema['properties'])) return false;
  return Object.entries(schema['properties']).some(
    ([name, property]) => PASSWORD.test(name) || (depth === 0 && hasPassword(property, 1)),
  );
}
