import { ToolcribError } from '../../../errors.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../operations/index.ts';
import type { Authenticator, SessionCredential } from '../../../principals/index.ts';
import { APPROVER_PREFIX, APPROVER_PRINCIPAL, TOKEN_PRINCIPAL } from '../guards.ts';
import { proofOf, sameText } from './session-secret.ts';

/** What credentials are checked against. */
export interface CredentialParts {
  /** `open`: on loopback, where no credential is asked for. */
  readonly mode: 'open' | 'token' | 'team';
  /** The server's. */
  readonly token?: string;
  /** The approver token as it is now; undefined: nobody has made one. */
  readonly approverToken?: () => Promise<string | undefined>;
  /** Where a team uses the gateway. */
  readonly users?: Pick<Authenticator, 'refer' | 'again'>;
}

export interface Shown {
  readonly principal: Principal;
  readonly credential: SessionCredential;
}

export interface SessionCredentials {
  /** A token that somebody typed in. Throws `unauthorized`, `store_unavailable`, `upstream_unreachable`. */
  show(token: string, secret: string, signal: AbortSignal): Promise<Shown>;
  /** Who a kept credential stands for as of now. Throws `unauthorized`, `store_unavailable`. */
  again(credential: SessionCredential, secret: string): Promise<Principal>;
}

export function createSessionCredentials(parts: CredentialParts): SessionCredentials {
  const { mode, token, approverToken, users } = parts;
  const proves = (of: string | undefined, proof: string, secret: string): boolean =>
    of !== undefined && sameText(proofOf(secret, of), proof);
  return {
    async show(shown, secret, signal) {
      const proof = () => proofOf(secret, shown);
      if (shown.startsWith(APPROVER_PREFIX)) {
        const current = await approverToken?.();
        if (current === undefined || !sameText(shown, current)) {
          throw new ToolcribError('unauthorized', 'The approver token is not valid.');
        }
        return { principal: APPROVER_PRINCIPAL, credential: { kind: 'approver', proof: proof() } };
      }
      if (token !== undefined && sameText(shown, token)) {
        return { principal: TOKEN_PRINCIPAL, credential: { kind: 'token', proof: proof() } };
      }
      if (users !== undefined) {
        const { principal, reference } = await users.refer(shown, signal);
        return { principal, credential: reference };
      }
      throw mode === 'open'
        ? new ToolcribError('unauthorized', 'This gateway knows no keys: on this machine it is open.', {
            next: 'To decide approvals, sign in as the owner: `toolcrib console`.',
          })
        : new ToolcribError('unauthorized', 'The token is not valid.', {
            next: "Sign in with the server's token, or as the owner: `toolcrib console`.",
          });
    },
    async again(credential, secret) {
      switch (credential.kind) {
        case 'owner':
          return LOCAL_PRINCIPAL;
        case 'token':
          if (proves(token, credential.proof, secret)) return TOKEN_PRINCIPAL;
          break;
        case 'approver':
          if (proves(await approverToken?.(), credential.proof, secret)) return APPROVER_PRINCIPAL;
          break;
        default:
          if (users !== undefined) return users.again(credential);
      }
      throw new ToolcribError('unauthorized', 'The credential of this session no longer counts.');
    },
  };
}
