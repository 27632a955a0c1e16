import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ArmDouble, startArm } from '../../../gateway/test/doubles/arm/arm.ts';
import { openBrowser } from './support/chromium.ts';
import { startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';

const browser = openBrowser();
let arm: ArmDouble;

beforeEach(async () => {
  arm = await startArm();
  process.env['ARM_MCP_AUTH_TOKEN'] = arm.token();
});
afterEach(async () => {
  delete process.env['ARM_MCP_AUTH_TOKEN'];
  await arm.close();
});

it('signs an Azure connection in by the link of its own tool', async () => {
  const { gateway, url } = await startGateway({
    name: 'office',
    topology: 'flat',
    sources: {
      office: {
        azure: {
          subscription: arm.subscription,
          resourceGroup: arm.resourceGroup,
          authentication: 'envvar',
          armEndpoint: arm.url,
        },
      },
    },
  });
  const { tools } = gateway.view();
  const put = tools.find(({ tool }) => tool.name.endsWith('put_connection'))!.tool.name;
  const made = await gateway.call({ tool: put, arguments: { apiName: 'chat' } });
  expect(made).toMatchObject({ kind: 'completed' });

  const page = await browser.page(`${url}/sources/office`);
  const row = page.locator('tr', { hasText: 'chat · chat' });
  await row.getByText('This connection is not authenticated.').waitFor();
  await expectLivable(page, 'source-azure');
  await row.getByRole('button', { name: 'Get a link to sign chat in' }).click();
  const link = await row.getByRole('link', { name: /Sign in at Microsoft/ }).getAttribute('href');
  // what the person's browser does at Microsoft
  expect((await fetch(link!, { redirect: 'manual' })).status).toBe(302);
  await page.getByRole('button', { name: 'Ask Azure again' }).click();
  await row.getByText('Connected').waitFor();
});
