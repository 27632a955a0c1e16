import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { metadataOrigins } from '../../../src/credentials/azure/environment-credential.ts';
import { createAzureTokens } from '../../../src/credentials/azure/index.ts';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { startLoopbackService } from '../../doubles/loopback-service.ts';
import { AUTHORITY, startAuthority, tokenAnswer } from './authority.ts';
import { azureSettings } from './settings.ts';

const PRINCIPAL = {
  AZURE_TENANT_ID: 'tenant-1',
  AZURE_CLIENT_ID: 'client-1',
  AZURE_CLIENT_SECRET: 'a-client-secret-value',
};

function crib(egress: Egress, env: Record<string, string>) {
  const announced: string[] = [];
  const tokens = createAzureTokens({
    settings: azureSettings({ authentication: 'env', authorityHost: AUTHORITY }),
    egress,
    env,
    announce: (secret) => announced.push(secret),
    now: Date.now,
  });
  return { tokens, announced, value: async () => (await tokens.token(new AbortController().signal)).value };
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-env-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('authentication env', () => {
  it('signs a service principal in by its secret, through the egress door', async () => {
    const { egress, forms, paths } = startAuthority(() => tokenAnswer('principal-token'));
    const { announced, value } = crib(egress, PRINCIPAL);
    expect(await value()).toBe('principal-token');
    expect(Object.fromEntries(forms[0]!)).toMatchObject({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_secret: 'a-client-secret-value',
      scope: 'https://management.azure.com/.default',
    });
    expect(paths.every((path) => path.startsWith('/tenant-1/'))).toBe(true);
    expect(announced).toEqual(['a-client-secret-value', 'principal-token']);
  });

  it('really asks again after the service refused the token', async () => {
    let count = 0;
    const { egress } = startAuthority(() => tokenAnswer(`token-${++count}`));
    const { tokens, value } = crib(egress, PRINCIPAL);
    expect(await value()).toBe('token-1');
    expect(tokens.refused('token-1')).toBe(true);
    expect(await value()).toBe('token-2');
  });

  it('signs a workload identity in by the token of its file', async () => {
    const file = join(folder, 'federated');
    await writeFile(file, 'federated-assertion');
    const { egress, forms } = startAuthority(() => tokenAnswer('workload-token'));
    const { AZURE_CLIENT_SECRET: _none, ...env } = PRINCIPAL;
    expect(await crib(egress, { ...env, AZURE_FEDERATED_TOKEN_FILE: file }).value()).toBe('workload-token');
    expect(forms[0]!.get('client_assertion')).toBe('federated-assertion');
  });

  it('says what the sign-in service says of a wrong secret, without the secret', async () => {
    const { egress, forms } = startAuthority(() =>
      Response.json(
        {
          error: 'invalid_client',
          error_description:
            'AADSTS7000215: Invalid client secret a-client-secret-value provided.\r\nTrace: x',
        },
        { status: 401 },
      ),
    );
    const error = await crib(egress, PRINCIPAL)
      .value()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      code: 'credentials_refused',
      message: expect.stringContaining('AADSTS7000215'),
      next: expect.stringContaining('AZURE_CLIENT_ID'),
    });
    expect((error as Error).message).not.toContain('a-client-secret-value');
    expect(forms).toHaveLength(1);
  });

  it('names what the environment leaves out', async () => {
    await expect(crib(createEgress(), { AZURE_CLIENT_SECRET: 'x-secret' }).value()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('AZURE_TENANT_ID and AZURE_CLIENT_ID'),
    });
  });

  it('says so when the door does not lead to the sign-in service', async () => {
    const egress = createEgress({ resolve: async () => [{ address: '10.0.0.7', family: 4 }] });
    await expect(crib(egress, PRINCIPAL).value()).rejects.toMatchObject({
      code: 'egress_blocked',
      message: expect.stringContaining('login.crib.example'),
    });
  });

  it("asks for a managed identity's token where the platform says, by a door that opens nothing else", async () => {
    const service = await startLoopbackService('', () => ({
      status: 200,
      body: {
        access_token: 'managed-token',
        expires_on: Math.floor(Date.now() / 1000) + 3600,
        resource: 'https://management.azure.com',
        token_type: 'Bearer',
      },
    }));
    try {
      vi.stubEnv('IDENTITY_ENDPOINT', `${service.url}/msi/token`);
      vi.stubEnv('IDENTITY_HEADER', 'header-secret');
      const env = { IDENTITY_ENDPOINT: `${service.url}/msi/token` };
      expect(await crib(createEgress(), env).value()).toBe('managed-token');
      expect(service.requests).toHaveLength(1);
      const [{ path, query, headers }] = service.requests as [(typeof service.requests)[0]];
      expect(path).toBe('/msi/token');
      expect(Object.fromEntries(query)['resource']).toMatch(/^https:..management\.azure\.com/);
      expect(headers['x-identity-header']).toBe('header-secret');
    } finally {
      await service.close();
    }
  });

  it('opens the metadata address and what the platform names, nothing else', () => {
    expect(metadataOrigins({})).toEqual(['http://169.254.169.254']);
    expect(
      metadataOrigins({
        IDENTITY_ENDPOINT: 'http://127.0.0.1:41056/msi/token',
        IMDS_ENDPOINT: 'http://localhost:40342',
        MSI_ENDPOINT: 'no url',
        HTTP_PROXY: 'http://10.0.0.1',
      }),
    ).toEqual(['http://169.254.169.254', 'http://127.0.0.1:41056', 'http://localhost:40342']);
  });
});
