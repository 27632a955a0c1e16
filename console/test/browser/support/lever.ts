import { onTestFinished } from 'vitest';
import { startNango } from '../../../../gateway/test/doubles/nango.ts';
import { startGateway } from './gateway.ts';
import { addAcme } from './team.ts';

const SECRET_KEY = 'CONSOLE_TEST_NANGO';

/** Acme, whose Lever is connected through a double of Nango; Ann is its admin, Ben is not. */
export async function startLever(integration = 'lever') {
  const nango = await startNango();
  process.env[SECRET_KEY] = nango.secretKey;
  onTestFinished(async () => {
    delete process.env[SECRET_KEY];
    await nango.close();
  });
  const running = await startGateway({
    name: 'acme',
    auth: { mode: 'team' },
    policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } },
    sources: {
      lever: {
        manifest: 'lever',
        connections: 'records',
        credentials: { nango: { integration, baseUrl: nango.url, secretKey: { env: SECRET_KEY } } },
      },
    },
  });
  return { running, nango, ...(await addAcme(running)) };
}
