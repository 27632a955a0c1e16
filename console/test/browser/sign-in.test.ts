import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApproverToken } from '../../../gateway/src/approvals/index.ts';
import { startOAuthServer } from '../../../gateway/test/doubles/oauth-server.ts';
import { openBrowser } from './support/chromium.ts';
import { type RunningGateway, startGateway } from './support/gateway.ts';
import { expectLivable } from './support/page-checks.ts';

const browser = openBrowser();
const TOKEN = 'a-token-of-the-server';
const SOURCES = { toolcrib: { self: {} } };

/** `environment` of the configuration is the one of this process. */
process.env['CONSOLE_TEST_TOKEN'] = TOKEN;
const start = () =>
  startGateway({ name: 'acme', sources: SOURCES, server: { token: { env: 'CONSOLE_TEST_TOKEN' } } });
const startOpen = () => startGateway({ name: 'acme', sources: SOURCES });

const signIn = async (page: Page, token: string) => {
  await page
    .getByLabel(/Token|Key or token/)
    .first()
    .fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** It would find out about its session before a click does. */
const askNothingByItself = (page: Page) =>
  page.route(/\/api\/v1\/(events|approvals)/, (route) => route.abort());

describe('where a token is asked for', () => {
  it('leads whoever comes in to the sign-in, and back to where one was, filters included', async () => {
    const { url } = await start();
    const page = await browser.page(`${url}/usage?by=day`);
    await page.waitForURL(`${url}/sign-in?back=${encodeURIComponent('/usage?by=day')}`);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await expectLivable(page, 'sign-in');
    await signIn(page, TOKEN);
    await page.waitForURL(`${url}/usage?by=day`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });

  it('says what is wrong with a token, and keeps the person at the field', async () => {
    const { url } = await start();
    const page = await browser.page(`${url}/sign-in`);
    await page.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('This did not sign you in').waitFor();
    expect(await alert.textContent()).toContain('unauthorized');
    // no header is asked of a person
    expect(await alert.textContent()).not.toContain('Authorization');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('token');
    await expectLivable(page, 'sign-in-refused');
  });

  it('signs out, and nothing of before is shown any more', async () => {
    const { url } = await start();
    const page = await browser.page(`${url}/sign-in?back=%2Fsettings`);
    await signIn(page, TOKEN);
    await page.waitForURL(`${url}/settings`);
    await page.getByText('Configuration in force').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL(`${url}/sign-in?back=%2Fsettings`);
    expect(await page.getByText('Configuration in force').count()).toBe(0);
    await page.goto(`${url}/settings`);
    await page.waitForURL(/\/sign-in/);
  });

  it('a session that ends while the page is open leads to the sign-in', async () => {
    const { url } = await start();
    const page = await browser.page(`${url}/sign-in?back=%2Fsettings`);
    await signIn(page, TOKEN);
    await page.getByText('Configuration in force').waitFor();
    await askNothingByItself(page);
    await page.reload();
    await page.getByText('Configuration in force').waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Doctor' }).click();
    await page.waitForURL(`${url}/sign-in?back=%2Fdoctor`);
  });

  it('keeps neither token nor anything of it in the browser but an httpOnly cookie', async () => {
    const { url } = await start();
    const page = await browser.page(`${url}/sign-in`);
    await signIn(page, TOKEN);
    await page.waitForURL(`${url}/calls`);
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
    );
    for (const secret of [TOKEN, cookie!.value]) expect(kept).not.toContain(secret);
  });
});

describe('the owner', () => {
  it('signs in by a link, whose code leaves the address and the history at once', async () => {
    const { url, ownerLink } = await start();
    const link = await ownerLink('/settings');
    const [, code = ''] = link.split('#code=');
    const page = await browser.page('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
    await page.goto(link);
    await page.waitForURL(`${url}/settings`);
    await page.getByText('The owner of the machine, by a one-time link').waitFor();
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((one) => one.includes(code))).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain('code');
  });

  it('is told when a link was used before, and how to get another', async () => {
    const { ownerLink } = await start();
    const link = await ownerLink();
    const first = await browser.page(link);
    await first.waitForURL(/\/calls$/);
    const second = await browser.page(link);
    await second.getByRole('alert').getByText('The link did not sign you in').waitFor();
    expect(second.url()).not.toContain('code');
    expect(await second.getByRole('alert').textContent()).toContain('toolcrib console');
    await expectLivable(second, 'sign-in-used-link');
  });

  it('comes back to no other site, whatever the link says', async () => {
    const { url, ownerLink } = await start();
    for (const back of ['//evil.example/x', 'https://evil.example/', '/\\evil.example', '/sign-in']) {
      const page = await browser.page(await ownerLink(back));
      await page.waitForURL(`${url}/calls`);
      await page.context().close();
    }
  });
});

describe('where nobody needs to sign in', () => {
  const bar = (page: Page) => page.getByRole('banner');
  /** Hears nothing of other tabs. */
  const deafPage = async () => {
    const page = await browser.page('about:blank');
    await page.context().addInitScript(() => {
      delete (window as { BroadcastChannel?: unknown }).BroadcastChannel;
    });
    return page;
  };
  /** The bar shows the session before until then. */
  const signInAgain = async (page: Page, link: string) => {
    const signedIn = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(link);
    await (await signedIn).finished();
  };

  it('offers it, says what for, and shows who is signed in afterwards', async () => {
    const running = await startOpen();
    const page = await browser.page(`${running.url}/settings`);
    await bar(page).getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('npx toolcrib console', { exact: true }).waitFor();
    await expectLivable(page, 'sign-in-open');
    await page.goto(await running.ownerLink('/settings'));
    await bar(page).getByText('Owner').waitFor();
    await bar(page).getByRole('button', { name: 'Sign out' }).click();
    await bar(page).getByRole('link', { name: 'Sign in' }).waitFor();
    // the page itself stays: it needs no session
    await page.getByText('Nothing: this gateway is open on its machine').waitFor();
  });

  it('a second tab that signed in again leaves the first one a click that counts, for both', async () => {
    const running = await startOpen();
    const first = await browser.page(await running.ownerLink('/settings'));
    await bar(first).getByText('Owner').waitFor();
    const second = await first.context().newPage();
    await signInAgain(second, await running.ownerLink('/settings'));
    await bar(first).getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [first, second]) await bar(tab).getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('what one clicked as somebody else is not done as whoever signed in in another tab', async () => {
    const running = await startOpen();
    const first = await deafPage();
    await askNothingByItself(first);
    await first.goto(await running.ownerLink('/settings'));
    await bar(first).getByText('Owner').waitFor();
    const second = await first.context().newPage();
    await second.goto(`${running.url}/sign-in?back=%2Fsettings`);
    const { stateDirectory } = running.gateway.configuration;
    await second.getByLabel('Approver token').fill(await createApproverToken(stateDirectory).value());
    await second.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await second.getByText('A credential that decides approvals').waitFor();
    const refused = first.waitForResponse((response) => response.request().method() === 'DELETE');
    await bar(first).getByRole('button', { name: 'Sign out' }).click();
    expect((await refused).status()).toBe(403);
    await first.getByText('A credential that decides approvals').waitFor();
    await second.reload();
    await bar(second).getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('what was asked before signing in and is answered after it signs nobody out', async () => {
    const running = await startOpen();
    const page = await browser.page('about:blank');
    const signedIn = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/api/v1/session', async (route) => {
      if (route.request().method() !== 'GET' || asked++ > 0) return route.continue();
      const answer = await route.fetch();
      await signedIn.promise;
      // the page may not listen to it any more
      await route.fulfill({ response: answer }).catch(() => undefined);
      answered.resolve();
    });
    await page.goto(await running.ownerLink('/settings'));
    await bar(page).getByText('Owner').waitFor();
    signedIn.resolve();
    await answered.promise;
    // a round trip of its own, and the page had time for it
    await page.evaluate(async () => (await fetch('/api/v1/session')).text());
    const accepted = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await bar(page).getByRole('button', { name: 'Sign out' }).click();
    expect((await accepted).status()).toBe(204);
  });

  it('where tabs do not hear each other, a second one that signed in again does not cost the first one a click', async () => {
    const running = await startOpen();
    const first = await deafPage();
    await first.goto(await running.ownerLink('/settings'));
    await bar(first).getByText('Owner').waitFor();
    const second = await first.context().newPage();
    await signInAgain(second, await running.ownerLink('/settings'));
    // the first one's token is of the session before: refused, read anew, and sent again
    await bar(first).getByRole('button', { name: 'Sign out' }).click();
    await bar(first).getByRole('link', { name: 'Sign in' }).waitFor();
  });

  it('with the approver token one decides, and everything else stays as it was', async () => {
    const running: RunningGateway = await startOpen();
    const { stateDirectory } = running.gateway.configuration;
    const page = await browser.page(`${running.url}/sign-in?back=%2Fsettings`);
    await page.getByLabel('Approver token').fill(await createApproverToken(stateDirectory).value());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('A credential that decides approvals').waitFor();
    await page.getByText('Configuration in force').waitFor();
  });
});

describe('where a team signs in at its identity provider', () => {
  /** Its provider is another site than the gateway, as providers are; what its people are known by. */
  async function startTeam(subjects: Readonly<Record<string, readonly string[]>>) {
    const provider = await startOAuthServer();
    onTestFinished(() => provider.close());
    const running = await startGateway({
      name: 'acme',
      sources: SOURCES,
      server: { token: { env: 'CONSOLE_TEST_TOKEN' } },
      policy: {
        approvals: { write: 'ask' },
        defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      },
      auth: {
        mode: 'team',
        jwt: {
          issuer: provider.origin,
          audience: 'acme',
          console: { clientId: 'console', name: 'Acme account' },
        },
      },
    });
    const operator = async (path: string, body: object) => {
      const response = await fetch(`${running.url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as { id: string };
      expect([path, response.status, answer]).toEqual([path, 201, answer]);
      return answer;
    };
    const { id: organisation } = await operator('/orgs', { name: 'Acme' });
    for (const [subject, roles] of Object.entries(subjects)) {
      await operator('/users', { organisation, name: subject, subject, roles });
    }
    // the provider is at 127.0.0.1: another site
    return { provider, url: running.url.replace('127.0.0.1', 'localhost') };
  }

  it('goes there and comes back to where one was, as who one is there', async () => {
    const { provider, url } = await startTeam({ Ada: ['admin'] });
    provider.behaviour.subject = 'Ada';
    const page = await browser.page(`${url}/usage?by=day`, { hosts: ['localhost'] });
    await page.waitForURL(/\/sign-in\?back=/);
    await page.getByRole('link', { name: 'Sign in with Acme account' }).waitFor();
    await expectLivable(page, 'sign-in-provider');
    await page.getByRole('link', { name: 'Sign in with Acme account' }).click();
    await page.waitForURL(`${url}/usage?by=day`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.goto(`${url}/settings`);
    await page.getByText('The identity provider', { exact: true }).waitFor();
    await page.getByText('Ada').first().waitFor();
    expect((await page.context().cookies()).map(({ sameSite, httpOnly }) => [sameSite, httpOnly])).toEqual([
      ['Strict', true],
    ]);
    // nothing is missing for deciding
    await page.goto(`${url}/approvals`);
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await page.getByText(/Nothing waits/).waitFor();
    expect(await page.getByText('This session shows approvals and decides none').count()).toBe(0);
  });

  it('says to a stranger whom to ask, and leads back', async () => {
    const { provider, url } = await startTeam({ Ada: [] });
    provider.behaviour.subject = 'idp|mallory';
    const page = await browser.page(`${url}/sign-in`, { hosts: ['localhost'] });
    await page.getByRole('link', { name: 'Sign in with Acme account' }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText('your --subject is idp|mallory').waitFor();
    await expectLivable(page, 'sign-in-stranger');
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await page.getByRole('link', { name: 'Sign in with Acme account' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });
});
