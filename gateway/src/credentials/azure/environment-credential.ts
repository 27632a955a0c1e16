import { createEgress } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import { authorityOptions } from './authority.ts';
import type { CredentialNeeds, OpenCredential } from './azure-credential.ts';
import { createIdentityDoor } from './identity-door.ts';

/** The metadata service that gives tokens of a managed identity to virtual machines. */
const METADATA_ORIGIN = 'http://169.254.169.254';

/** Where other platforms say that theirs is: App Service, Azure Arc, Cloud Shell, pod identity. */
const ENDPOINT_VARIABLES = [
  'IDENTITY_ENDPOINT',
  'IMDS_ENDPOINT',
  'MSI_ENDPOINT',
  'AZURE_POD_IDENTITY_AUTHORITY_HOST',
];

/** It answers at once, or there is none. Milliseconds. */
const METADATA_MS = 5000;

/**
 * What the environment describes, the first that is complete: a service principal with a secret or a certificate, a
 * workload identity, else the managed identity of the machine. Only that one is used: where a secret is refused, the
 * call is, and nobody becomes somebody else.
 */
export async function openEnvironmentCredential(needs: CredentialNeeds): Promise<OpenCredential> {
  const { settings, env, egress, announce } = needs;
  const identity = await import('@azure/identity');
  const door = createIdentityDoor(egress);
  const common = authorityOptions(settings, env, door);
  const tenantId = settings.tenant ?? given(env, 'AZURE_TENANT_ID');
  const clientId = given(env, 'AZURE_CLIENT_ID');
  const secret = given(env, 'AZURE_CLIENT_SECRET');
  const certificatePath = given(env, 'AZURE_CLIENT_CERTIFICATE_PATH');
  const tokenFilePath = given(env, 'AZURE_FEDERATED_TOKEN_FILE');
  if (secret !== undefined || certificatePath !== undefined || tokenFilePath !== undefined) {
    if (tenantId === undefined || clientId === undefined) throw incomplete(tenantId, clientId);
  }
  const { failure } = door;
  if (secret !== undefined) {
    announce(secret);
    return {
      credential: new identity.ClientSecretCredential(tenantId!, clientId!, secret, common),
      failure,
    };
  }
  if (certificatePath !== undefined) {
    const certificatePassword = given(env, 'AZURE_CLIENT_CERTIFICATE_PASSWORD');
    if (certificatePassword !== undefined) announce(certificatePassword);
    const certificate = {
      certificatePath,
      ...(certificatePassword === undefined ? {} : { certificatePassword }),
    };
    return {
      credential: new identity.ClientCertificateCredential(tenantId!, clientId!, certificate, common),
      failure,
    };
  }
  if (tokenFilePath !== undefined) {
    const options = { ...common, tenantId: tenantId!, clientId: clientId!, tokenFilePath };
    return { credential: new identity.WorkloadIdentityCredential(options), failure };
  }
  return openManagedIdentity(identity, clientId, env);
}

/**
 * A managed identity is asked for at a link-local address, which the gateway's own door never reaches. This door is
 * for these requests alone, and opens nothing else: the operator chose `env`.
 */
function openManagedIdentity(
  identity: typeof import('@azure/identity'),
  clientId: string | undefined,
  env: CredentialNeeds['env'],
): OpenCredential {
  const egress = createEgress({ allow: metadataOrigins(env) });
  const { httpClient, failure } = createIdentityDoor(egress, METADATA_MS);
  const user = clientId === undefined ? {} : { clientId };
  return {
    credential: new identity.ManagedIdentityCredential({
      ...user,
      httpClient,
      retryOptions: { maxRetries: 3 },
    }),
    failure,
    close: () => void egress.close().catch(() => undefined),
  };
}

/** Origins that may be asked for a managed identity's token. */
export function metadataOrigins(env: CredentialNeeds['env']): readonly string[] {
  const named = ENDPOINT_VARIABLES.map((name) => URL.parse(given(env, name) ?? ''));
  const origins = named.flatMap((url) =>
    url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [],
  );
  return [...new Set([METADATA_ORIGIN, ...origins])];
}

function given(env: CredentialNeeds['env'], name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

function incomplete(tenantId: string | undefined, clientId: string | undefined): ToolcribError {
  const absent = [
    ...(tenantId === undefined ? ['AZURE_TENANT_ID'] : []),
    ...(clientId === undefined ? ['AZURE_CLIENT_ID'] : []),
  ].join(' and ');
  return new ToolcribError(
    'credentials_missing',
    `The environment describes an account for Azure, but not ${absent}.`,
    { next: `Set ${absent}.` },
  );
}
