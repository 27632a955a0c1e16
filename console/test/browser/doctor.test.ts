import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from './support/chromium.ts';
import { startGateway } from './support/gateway.ts';
import { expectAccessible, expectLivable, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey, startTeam } from './support/team.ts';

const browser = openBrowser();

/** A service that answers with a page for people: what a wrong base URL looks like. */
const service = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
};

/** A variable that is missing, a document that is gone, a base URL that leads to a web page. */
async function start() {
  const running = await startGateway({
    name: 'acme',
    sources: {
      toolcrib: { self: {} },
      gone: { openapi: './gone.yaml', baseUrl: `${address}/v9` },
      pets: {
        openapi: './pets.json',
        baseUrl: `${address}/v9`,
        credentials: { bearer: { env: 'DOCTOR_TEST_NOT_SET' } },
      },
    },
  });
  await writeFile(join(running.folder, 'pets.json'), JSON.stringify(PETS));
  await running.gateway.refresh('pets');
  return running;
}

it('shows what is wrong first, with what to do, and looks again when asked to', async () => {
  const running = await start();
  const page = await browser.page(`${running.url}/doctor`, {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const main = page.getByRole('main');
  const headings = main.getByRole('heading', { level: 2 });
  await headings.first().waitFor();
  await expect.poll(() => page.title()).toBe('Doctor · acme');
  expect(await main.getByRole('status').textContent()).toMatch(/^2 errors, 1 warning/);
  expect((await headings.allTextContents()).slice(0, 2).sort()).toEqual([
    'Credentials and permissions',
    'Sources',
  ]);
  const first = page.getByRole('listitem').filter({ hasText: 'credentials of pets' });
  expect(await first.textContent()).toMatch(/^✕error.*DOCTOR_TEST_NOT_SET.*Set DOCTOR_TEST_NOT_SET/);
  await page.getByText('answers with a web page (404), not as an API does').waitFor();
  await expectLivable(page, 'doctor');

  await page.getByRole('button', { name: 'Copy all findings' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('error   source gone: ');

  await writeFile(join(running.folder, 'gone.yaml'), JSON.stringify(PETS));
  await running.gateway.refresh('gone');
  await page.getByRole('button', { name: 'Look again' }).press('Enter');
  await expect.poll(() => main.getByRole('status').first().textContent()).toMatch(/^1 error, \d warnings?/);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Look again');
});

it('says so where everything is in order', async () => {
  const { url } = await startGateway({ name: 'acme', sources: { toolcrib: { self: {} } } });
  const page = await browser.page(`${url}/doctor`);
  await page.getByText('Everything is in order').last().waitFor();
  await shoot(page, 'doctor-good');
});

it('waits with lines where the findings will be, and says what a refusal says', async () => {
  const { url } = await start();
  const page = await browser.page('about:blank', { width: 380 });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/doctor', async (route) => {
    await held.promise;
    const error = {
      code: 'admin_needed',
      message: 'Only the operator sees this.',
      next: 'Ask the operator.',
    };
    await route.fulfill({ status: 403, json: { error } });
  });
  await page.goto(`${url}/doctor`);
  await page.getByText('Loading findings').waitFor({ state: 'attached' });
  await shoot(page, 'doctor-loading');
  held.resolve();
  await page.getByText('Ask the operator.').waitFor();
  await page.getByText('admin_needed').waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await shoot(page, 'doctor-refused');
  await page.unroute('**/api/v1/doctor');
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
});

it("is the operator's: an admin of a team is told so, and nothing is asked", async () => {
  const team = await startTeam();
  const { admin } = await addAcme(team);
  const page = await browser.page(`${team.url}/sign-in`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signInWithKey(page, team, admin);
  await page.goto(`${team.url}/doctor`);
  await page.getByText('The examination is the operator’s').waitFor();
  expect(await page.getByRole('button', { name: 'Look again' }).count()).toBe(0);
  expect(asked).not.toContain('/api/v1/doctor');
  await expectAccessible(page);
});
