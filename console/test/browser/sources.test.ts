import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfiguration } from '../../../gateway/src/index.ts';
import { zip } from '../../src/pages/sources/zip-folder.ts';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, signInAsOwner, startGateway } from './support/gateway.ts';
import { held } from './support/held.ts';
import { startLever } from './support/lever.ts';
import { expectAccessible, expectLivable, expectNoSidewaysScroll, shoot } from './support/page-checks.ts';
import { addAcme, signInWithKey } from './support/team.ts';

const browser = openBrowser();

/** An API that says what it was asked. */
const api = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ path: request.url }));
});
let base: string;
let folder: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => api.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-sources-'));
  return () => rm(folder, { recursive: true, force: true });
});

const documentOf = (title: string, ids: readonly string[], more: object = {}) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  servers: [{ url: base }],
  paths: Object.fromEntries(
    ids.map((id) => [
      `/${id}`,
      { get: { operationId: id, summary: `Does ${id}`, responses: { 200: { description: 'ok' } } } },
    ]),
  ),
  ...more,
});
const file = () => join(folder, 'toolcrib.yaml');
const write = (name: string, value: unknown) =>
  writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));

/** A gateway with a configuration file, whose changes it follows. */
async function startWithFile(rest = ''): Promise<RunningGateway> {
  await write('pets.json', documentOf('Pets', ['list', 'get']));
  await write(
    'toolcrib.yaml',
    `# Our shop.\nname: shop\ntopology: flat\ncache: false\nsources:\n  # pets first\n  pets: { openapi: ./pets.json, baseUrl: "${base}" }\n${rest}`,
  );
  const load = () =>
    loadConfiguration({
      file: file(),
      cwd: folder,
      env: {},
      overrides: { stateDirectory: join(folder, 'state') },
    });
  return startGateway((await load()) as never, { folder, reload: load });
}

async function ownerPage(running: RunningGateway, path = '/sources'): Promise<Page> {
  const page = await browser.page('about:blank');
  await signInAsOwner(page, running, path);
  return page;
}

/** What a person does with the mouse: files onto the page. */
async function drop(page: Page, name: string, content: Uint8Array | string): Promise<void> {
  const bytes = [...Buffer.from(content)];
  await page.evaluate(
    ({ name, bytes }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
    },
    { name, bytes },
  );
}

it('says of a source that was read well which credential its calls lack, and that an empty one brings nothing', async () => {
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
  await write('shop.json', documentOf('Shop', ['order'], { components, security: [{ key: [] }] }));
  await write('empty.json', documentOf('Empty', []));
  await write('broken.json', '{ "openapi": ');
  const entries = ['shop', 'empty', 'broken'].map((name) => `  ${name}: { openapi: ./${name}.json }\n`);
  const running = await startWithFile(entries.join(''));
  const page = await ownerPage(running);
  const row = page.getByRole('listitem').filter({ hasText: 'shop.json' });
  await row.getByText('credential missing').waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'broken.json' })
    .getByText('Correct the document at the place named.')
    .waitFor();
  await row.getByRole('link', { name: 'shop', exact: true }).click();
  await page.getByText('Every call would fail').waitFor();
  await page.getByText('Source shop needs a credential').waitFor();
  expect(await page.getByText('connected', { exact: true }).count()).toBe(0);
  await expectLivable(page, 'sources-lacking');
  await page.goto(`${running.url}/sources/empty`);
  await page.getByText('It was read, and brings no tools.').waitFor();
});

it('adds a document that is dropped, and a client that was there all along calls its tool', async () => {
  const running = await startWithFile();
  const client = await running.client();
  const told = Promise.withResolvers<void>();
  client.setNotificationHandler('notifications/tools/list_changed', () => told.resolve());
  await client.listTools();
  const page = await ownerPage(running);
  await page.getByRole('link', { name: 'pets' }).waitFor();
  await expectLivable(page, 'sources');

  await drop(
    page,
    'crm.openapi.json',
    JSON.stringify(documentOf('Crm', ['deals', 'owners'], { servers: [{ url: 'http://10.1.2.3:9000/v1' }] })),
  );
  const dialog = page.getByRole('dialog', { name: 'Add a source' });
  await dialog.getByLabel('Name').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('crm');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('which is refused').waitFor();
  await dialog.getByLabel('Base URL').fill(base);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('crm_deals').waitFor();
  await dialog.getByText(`+   crm:`).waitFor();
  expect(await readFile(file(), 'utf8')).not.toContain('crm');
  await expectAccessible(page);
  await shoot(page, 'sources-add');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForURL(/\/sources\/crm$/);
  await page.getByText('It was read, and its tools are served.').waitFor();
  await told.promise;
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('crm_deals');
  const answer = await client.callTool({ name: 'crm_deals', arguments: {} });
  expect(answer.structuredContent).toMatchObject({ path: '/deals' });
  const text = await readFile(file(), 'utf8');
  expect(text).toMatch(/^# Our shop\.[\s\S]*# pets first[\s\S]*crm:\n/);
  await expectLivable(page, 'source');
});

it('says where an entry is wrong, and which variable is missing', async () => {
  const running = await startWithFile();
  const page = await ownerPage(running);
  await page.getByRole('button', { name: 'Add a source' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What it is').selectOption('Anything else, by its entry');
  await dialog.getByLabel('Name').fill('crm');
  await dialog
    .getByLabel('Entry')
    .fill('{ "openapi": "./pets.json", "credentials": { "bearer": "hunter2" } }');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('#/sources/crm/credentials/bearer').waitFor();
  await dialog
    .getByLabel('Entry')
    .fill('{ "openapi": "./pets.json", "credentials": { "bearer": { "env": "NOT_SET_HERE" } } }');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('NOT_SET_HERE is not set').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 380, height: 800 });
  await expectNoSidewaysScroll(page);
  await shoot(page, 'sources-add-narrow');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Give it up' }).click();
  expect(await dialog.count()).toBe(0);
});

it('shows at once when a document breaks and keeps its tools, and when it is whole again', async () => {
  const running = await startWithFile();
  const client = await running.client();
  const page = await ownerPage(running);
  await page.getByText('Well').waitFor();
  await write('pets.json', '{ "openapi": "3.1.0", ');
  await page.getByText('Stale').waitFor();
  await page.getByText('source_invalid').waitFor();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('pets_list');
  await expectLivable(page, 'sources-stale');
  await write('pets.json', documentOf('Pets', ['list', 'get', 'feed']));
  await page.getByText('3 tools').waitFor();
  await page.getByText('Well').waitFor();
});

it('reads again what may have changed before it heard of changes', async () => {
  const running = await startWithFile();
  const page = await browser.page('about:blank');
  const stream = await held(page, /\/api\/v1\/events/);
  await signInAsOwner(page, running, '/sources');
  await page.getByText('Well').waitFor();
  await write('pets.json', '{ "openapi": "3.1.0", ');
  const health = async () => {
    const answer = await fetch(`${running.url}/api/v1/sources`);
    return ((await answer.json()) as { sources: { health: string }[] }).sources[0]?.health;
  };
  await expect.poll(health).toBe('stale');
  expect(await page.getByText('Well').count()).toBe(1);
  stream.resolve();
  await page.getByText('Stale').waitFor();
});

it('shows what a tool has become, and a person accepts or rejects it', async () => {
  const running = await startWithFile('lock: { mode: quarantine }\n');
  await running.gateway.accept();
  const client = await running.client();
  const page = await ownerPage(running);
  const changed = documentOf('Pets', ['list', 'get']);
  const text = JSON.stringify(changed)
    .replace('Does list', 'Sells everything')
    .replace('Does get', 'Gets all');
  await write('pets.json', text);
  await page.getByText('2 changed').waitFor();
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('pets_list');
  await page.getByRole('link', { name: 'pets' }).click();
  await page.getByRole('tab', { name: 'Changes (2)' }).click();
  const list = page.getByRole('listitem').filter({ hasText: 'pets_list' });
  await list.getByText('"Sells everything"').first().waitFor();
  await expectLivable(page, 'source-drift');
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  await page.getByRole('button', { name: 'Reject pets_get' }).press('Enter');
  await page.getByLabel('Why').fill('It should not get all');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).press('Enter');
  await page.getByText('It should not get all').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // it stands there still, without the button
  await expect.poll(focused).toBe('H2 pets_get');
  await page.getByRole('button', { name: 'Accept pets_list' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Changes (1)' }).waitFor();
  await expect.poll(focused).toBe('H2 pets_get');
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('pets_list');
  expect(names).not.toContain('pets_get');
  await page.getByRole('tab', { name: 'Findings (1)' }).click();
  await page.getByText('tool-rejected').waitFor();
  await expectLivable(page, 'source-findings');
});

it('imports a skill that is dropped as an archive', async () => {
  const running = await startWithFile(`  teaching: { skills: ./skills }\n`);
  const page = await ownerPage(running);
  await page.getByRole('link', { name: 'teaching' }).waitFor();
  const skill = '---\nname: greeting\ndescription: How to greet people well.\n---\nSay hello.\n';
  const archive = zip([{ path: 'greeting/SKILL.md', bytes: new TextEncoder().encode(skill) }]);
  await drop(page, 'greeting.zip', new Uint8Array(await archive.arrayBuffer()));
  const dialog = page.getByRole('dialog', { name: 'Import a skill' });
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText('Imported').waitFor();
  await expectAccessible(page);
  await shoot(page, 'sources-skill');
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await readFile(join(folder, 'skills/greeting/SKILL.md'), 'utf8')).toBe(skill);
  await drop(page, 'photo.png', 'x');
  await page.getByText('neither an OpenAPI document nor a skill').waitFor();
});

it('waits with what depends on the file until that is known, and loses no click', async () => {
  const running = await startWithFile();
  const page = await ownerPage(running, '/sources/pets');
  await page.getByRole('button', { name: 'Change' }).waitFor();
  const options = await held(page, '**/api/v1/source-options');
  await page.reload();
  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What to change').selectOption('Its whole entry');
  await dialog
    .getByLabel('Entry')
    .fill(`{ "openapi": "./pets.json", "baseUrl": "${base}", "prefix": "zoo" }`);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('Reading it once').waitFor();
  expect(await dialog.getByText('without a configuration file').count()).toBe(0);
  options.resolve();
  await dialog.getByText('zoo_list').waitFor();
  await dialog.getByText('+     prefix: zoo').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const again = await held(page, '**/api/v1/source-options');
  await page.reload();
  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('Loading what that changes').waitFor();
  expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true);
  again.resolve();
  await dialog.getByText('−   pets:').waitFor();
});

it('changes a source and takes it out, by keyboard, with what that does to the file shown before', async () => {
  const running = await startWithFile(
    `  crm: { openapi: ./crm.json, baseUrl: "http://127.0.0.1:9" }\n`,
  ).catch(async () => undefined);
  expect(running).toBeDefined();
  const page = await ownerPage(running!, '/sources/pets');
  const client = await running!.client();
  await page.getByRole('button', { name: 'Change' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What to change').selectOption('Its whole entry');
  await dialog
    .getByLabel('Entry')
    .fill(`{ "openapi": "./pets.json", "baseUrl": "${base}", "prefix": "zoo" }`);
  await dialog.getByRole('button', { name: 'Check' }).press('Enter');
  await dialog.getByText('zoo_list').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['zoo_get', 'zoo_list']);
  await page.getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByText('−   pets:').waitFor();
  await shoot(page, 'source-remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.waitForURL(/\/sources$/);
  await expect.poll(() => page.getByRole('link', { name: 'pets', exact: true }).count()).toBe(0);
  expect((await client.listTools()).tools).toEqual([]);
  expect(await readFile(file(), 'utf8')).toContain('# pets first');
});

it('says of a source that is taken out while somebody looks at it that it is gone, and nothing else', async () => {
  const running = await startWithFile();
  const page = await ownerPage(running, '/sources/pets');
  await page.getByText('It was read, and its tools are served.').waitFor();
  const other = await ownerPage(running, '/sources/pets');
  await other.getByRole('button', { name: 'Remove' }).click();
  await other.getByText('−   pets:').waitFor();
  await other.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('There is no such source').waitFor();
  expect(await page.getByText('its tools are served').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^(Read again|Change|Remove)$/ }).count()).toBe(0);
  await expectLivable(page, 'source-gone');
});

it('changes the usual settings in a form, and keeps what the form does not ask for', async () => {
  await write('crm.json', documentOf('CRM', ['people']));
  const running = await startWithFile(
    `  crm: { openapi: ./crm.json, baseUrl: "http://127.0.0.1:9", prefix: people, limits: { timeout: 5s } }\n`,
  );
  const page = await ownerPage(running, '/sources/crm');
  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Base URL').inputValue()).toBe('http://127.0.0.1:9');
  await dialog.getByLabel('Base URL').fill(base);
  await dialog.getByLabel('Credential', { exact: true }).selectOption('Bearer token');
  await dialog.getByText('Variable with the token is needed.').waitFor();
  await dialog.getByLabel('Variable with the token').fill('CRM_TOKEN');
  await expectLivable(page, 'source-change');
  await dialog.getByLabel('What to change').selectOption('Its whole entry');
  expect(JSON.parse(await dialog.getByLabel('Entry').inputValue())).toEqual({
    openapi: './crm.json',
    baseUrl: base,
    prefix: 'people',
    limits: { timeout: '5s' },
    credentials: { bearer: { env: 'CRM_TOKEN' } },
  });
  await dialog.getByLabel('What to change').selectOption('Its usual settings');
  expect(await dialog.getByLabel('Variable with the token').inputValue()).toBe('CRM_TOKEN');
  await dialog.getByLabel('Credential', { exact: true }).selectOption('None, or as the document says');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('people_people').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const client = await running.client();
  await expect
    .poll(async () => JSON.stringify(await client.callTool({ name: 'people_people', arguments: {} })))
    .toContain('/people');
  const kept = parse(await readFile(file(), 'utf8'));
  expect(kept.sources.crm).toEqual({
    openapi: './crm.json',
    baseUrl: base,
    prefix: 'people',
    limits: { timeout: '5s' },
  });
});

it('shows sources to who may not change them, and says who may', async () => {
  const running = await startWithFile();
  const page = await browser.page(`${running.url}/sources`);
  await page.getByText('Sources are changed by the owner of this machine').waitFor();
  await page.getByRole('link', { name: 'pets' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add a source' }).count()).toBe(0);
  await page.getByRole('link', { name: 'pets' }).click();
  await page.getByText('It was read').waitFor();
  expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Tools (2)' }).click();
  await page.getByLabel('Filter tools').fill('list');
  await page.getByText('1 of 2 tools').waitFor();
  await page.getByRole('tab', { name: 'Left out' }).click();
  await page.getByText('Nothing was left out').waitFor();
  await page.goto(`${running.url}/sources/nope`);
  await page.getByText('There is no such source').waitFor();
  await page.goto(`${running.url}/sources?show=connections`);
  await page.getByText('Accounts stand in the configuration').waitFor();
});

it('connects an account of one’s own, switches it off and takes it out', async () => {
  const { running, nango, key } = await startLever('lever-production');
  nango.add({
    id: 'ben:lever',
    integration: 'lever-production',
    credentials: { type: 'API_KEY', apiKey: 'k' },
  });
  const page = await browser.page('about:blank');
  await signInWithKey(page, running, key);
  // what one could use is said where it is looked for
  await page.goto(`${running.url}/sources`);
  await page.getByText('lever is not connected').waitFor();
  await page.getByRole('link', { name: 'connect one' }).click();
  await page.getByText('No account is connected').waitFor();
  await page.getByRole('button', { name: 'Connect an account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Get the page on which it is connected' }).click();
  const link = dialog.getByRole('link', { name: 'Open the page of lever' });
  expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
  expect(await link.getAttribute('href')).toMatch(/^https:\/\/connect\.nango\.dev\//);
  await dialog.getByLabel('Connection id').fill('ann:lever');
  // the link goes with its session, what is written stays
  const other = await page.context().newPage();
  await other.goto(`${running.url}/settings`);
  await other.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByText('You are signed out').waitFor();
  expect(await link.count()).toBe(0);
  await other.waitForURL(/sign-in/);
  await signInWithKey(page, running, key);
  await other.evaluate(() => new BroadcastChannel('toolcrib-session').postMessage('changed'));
  await dialog.getByText('You are signed out').waitFor({ state: 'detached' });
  expect(await link.count()).toBe(0);
  // somebody else's is refused, and says so
  await dialog.getByRole('button', { name: 'Record it' }).click();
  await dialog.getByText('It was not recorded').waitFor();
  await dialog.getByLabel('Connection id').fill('ben:lever');
  await dialog.getByRole('button', { name: 'Record it' }).click();
  await page.getByRole('cell', { name: 'Mine' }).waitFor();
  await expectLivable(page, 'connections');
  await page.getByRole('tab', { name: 'Sources' }).click();
  await page.getByRole('link', { name: 'lever' }).waitFor();
  expect(await page.getByText('is not connected').count()).toBe(0);
  await page.getByRole('tab', { name: 'Connections' }).click();
  const sent = await held(page, '**/api/v1/connections/*');
  await page.getByRole('button', { name: /^Switch off/ }).press('Enter');
  await page.locator('button[aria-disabled=true]').waitFor();
  sent.resolve();
  await page.getByText('Account switched off').waitFor();
  // the focus stays where it was pressed
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Switch on');
  await page.getByRole('button', { name: /^Reconnect/ }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open the page of the provider' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No account is connected').waitFor();
});

it('tells the operator of a team of no account that is to be connected: its organisations have them', async () => {
  const running = await startGateway({
    name: 'acme',
    auth: { mode: 'team' },
    policy: { defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } } },
    sources: { lever: { manifest: 'lever' } },
  });
  await addAcme(running);
  const page = await browser.page(`${running.url}/sign-in`);
  await signInAsOwner(page, running, '/sources');
  await page.getByText('45 tools').waitFor();
  expect(await page.getByText('to be connected again').count()).toBe(0);
  await page.getByRole('link', { name: 'lever' }).click();
  await page.getByText('as the gateway was started').waitFor();
  expect(await page.locator('dl').textContent()).not.toContain('connected');
});
