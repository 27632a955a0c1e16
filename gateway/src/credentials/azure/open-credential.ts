import type { CredentialNeeds, OpenCredential } from './azure-credential.ts';
import { openEnvironmentCredential } from './environment-credential.ts';
import { createIdentityDoor } from './identity-door.ts';
import { openInteractiveCredential } from './interactive-credential.ts';

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
