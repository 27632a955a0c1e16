import type { Page } from 'playwright-core';

/** Requests of the page for `url` wait until this is resolved. */
export async function held(page: Page, url: string | RegExp): Promise<{ readonly resolve: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    // whoever asked may have gone meanwhile
    await route.continue().catch(() => undefined);
  });
  return { resolve };
}
