import type { Egress, EgressFailure } from '../../egress/index.ts';
import type { AzureSettings } from '../../operations/index.ts';
import { openEnvironmentCredential } from './environment-credential.ts';
import { createIdentityDoor } from './identity-door.ts';
import { openInteractiveCredential } from './interactive-credential.ts';

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

/** How long `az` may take, milliseconds. */
const CLI_MS = 60_000;

/** The credential that the settings name; `@azure/identity` is loaded here. `envvar` needs none. */
export async function openCredential(needs: CredentialNeeds): Promise<OpenCredential> {
  const { settings, egress } = needs;
  switch (settings.authentication) {
    case 'azcli': {
      const { AzureCliCredential } = await import('@azure/identity');
      const tenant = settings.tenant === undefined ? {} : { tenantId: settings.tenant };
      return { credential: new AzureCliCredential({ ...tenant, processTimeoutInMs: CLI_MS }) };
    }
    case 'env':
      return openEnvironmentCredential(needs);
    default:
      return openInteractiveCredential(needs, createIdentityDoor(egress));
  }
}
