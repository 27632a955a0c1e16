import type { Egress, EgressFailure } from '../../egress/index.ts';
import type { AzureSettings } from '../../operations/index.ts';

/** A `TokenCredential` of `@azure/identity`, as far as it is used here. */
export interface AzureCredential {
  /** `expiresOnTimestamp` in milliseconds since the epoch. */
  getToken(
    scopes: string,
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

export interface OpenCredential {
  readonly credential: AzureCredential;
  /** Its last request that brought no answer. */
  failure?(): EgressFailure | undefined;
  /** Lets go of what a sign-in holds open. */
  close?(): void;
}

export interface CredentialNeeds {
  readonly settings: AzureSettings;
  readonly egress: Egress;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly announce: (secret: string) => void;
  /** Told to whoever has to sign in. */
  readonly prompt: (message: string) => void;
}
