import { ToolcribError } from '../../../errors.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../operations/index.ts';
import { isApiKey } from '../../../principals/authentication/api-key.ts';
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
  /** What this machine proves sessions of its owner with. Throws `store_unavailable`. */
  readonly machineKey: () => Promise<string>;
  /** Where a team uses the gateway. */
  readonly users?: Pick<Authenticator, 'refer' | 'again'>;
}

type Proven = Extract<SessionCredential, { readonly proof: string }>;

const PRINCIPALS: Readonly<Record<Proven['kind'], Principal>> = {
  owner: LOCAL_PRINCIPAL,
  token: TOKEN_PRINCIPAL,
  approver: APPROVER_PRINCIPAL,
};

export interface Shown {
  readonly principal: Principal;
  readonly credential: SessionCredential;
}

export interface SessionCredentials {
  /** A token that somebody typed in. Throws `unauthorized`, `user_refused`, `store_unavailable`, `upstream_unreachable`. */
  show(token: string, secret: string, signal: AbortSignal): Promise<Shown>;
  /** What the owner of the machine signed in with: the code was looked at. Throws `store_unavailable`. */
  owner(secret: string): Promise<Shown>;
  /** A credential that counts now, for a session with another secret. Throws `store_unavailable`. */
  carry(credential: SessionCredential, secret: string): Promise<SessionCredential>;
  /** Who a kept credential stands for as of now. Throws `unauthorized`, `store_unavailable`. */
  again(credential: SessionCredential, secret: string): Promise<Principal>;
}

/** 256 random bits of our own making, whoever shows them: only a token that the operator chose may be a shorter one. */
export function isBeyondGuessing(token: string): boolean {
  return token.startsWith(APPROVER_PREFIX) || isApiKey(token);
}

export function createSessionCredentials(parts: CredentialParts): SessionCredentials {
  const { mode, token, approverToken, machineKey, users } = parts;
  /** What a proof of this kind is of, as of now. */
  const proven = async (kind: Proven['kind']): Promise<string | undefined> => {
    if (kind === 'owner') return machineKey();
    return kind === 'token' ? token : approverToken?.();
  };
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
    owner: async (secret) => ({
      principal: LOCAL_PRINCIPAL,
      credential: { kind: 'owner', proof: proofOf(secret, await machineKey()) },
    }),
    async carry(credential, secret) {
      if (!('proof' in credential)) return credential;
      const of = await proven(credential.kind);
      return of === undefined ? credential : { ...credential, proof: proofOf(secret, of) };
    },
    async again(credential, secret) {
      if ('proof' in credential) {
        const of = await proven(credential.kind);
        if (of !== undefined && sameText(proofOf(secret, of), credential.proof))
          return PRINCIPALS[credential.kind];
      } else if (users !== undefined) {
        return users.again(credential);
      }
      throw new ToolcribError('unauthorized', 'The credential of this session no longer counts.');
    },
  };
}
