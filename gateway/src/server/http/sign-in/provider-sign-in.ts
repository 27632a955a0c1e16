import type { SignInSecrets } from '../../../operations/sign-in-secrets.ts';
import type { ReferredUser } from '../../../principals/index.ts';

/** The answer of a provider, whose `state` was looked at. */
export interface ProviderAnswer extends Omit<SignInSecrets, 'state'> {
  readonly parameters: URLSearchParams;
  /** As it was asked with. */
  readonly redirectUri: string;
}

/** Where a team's people sign in to the console: at their identity provider. */
export interface ProviderSignIn {
  /** What they call it. */
  readonly name: string;
  /**
   * Where the browser goes, and what it keeps and gives to nobody else. Throws `credentials_refused`,
   * `credentials_missing`, `upstream_unreachable`.
   */
  begin(redirectUri: string, signal: AbortSignal): Promise<{ address: string; kept: SignInSecrets }>;
  /**
   * Who signed in there. Throws as `begin` does; `authorization_required` where the provider or its person said no,
   * `unauthorized`, and `user_refused` for whoever is not known here.
   */
  finish(answer: ProviderAnswer, signal: AbortSignal): Promise<ReferredUser>;
}
