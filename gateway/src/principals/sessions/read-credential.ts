import { isObject } from '../../operations/index.ts';
import type { SessionCredential } from './session-record.ts';

/** A credential as it stands in the store; undefined for whatever is not exactly one. */
export function readCredential(text: string): SessionCredential | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { kind, proof, id, client, issuer, subject, organisation, roles, expiresAt } = value;
  switch (kind) {
    case 'owner':
    case 'token':
    case 'approver':
      return isText(proof) ? { kind, proof } : undefined;
    case 'key':
      return isText(id) ? { kind, id } : undefined;
    case 'sign-in': {
      const complete =
        isText(issuer) &&
        isText(subject) &&
        (client === undefined || isText(client)) &&
        (organisation === undefined || isText(organisation)) &&
        Array.isArray(roles) &&
        roles.every(isText) &&
        typeof expiresAt === 'number';
      if (!complete) return undefined;
      return {
        kind,
        ...(client === undefined ? {} : { client }),
        issuer,
        subject,
        roles,
        expiresAt,
        ...(organisation === undefined ? {} : { organisation }),
      };
    }
    default:
      return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
