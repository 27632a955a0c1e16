import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './launch-chromium.ts';

export interface PageOptions {
  /** Width of the window; 380 is the narrowest that pages are made for. Default 1280. */
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** Hosts that may be asked beside 127.0.0.1. */
  readonly hosts?: readonly string[];
  readonly context?: BrowserContextOptions;
}

export interface TestBrowser {
  /** A page in a browser profile of its own; closed after the test. */
  page(url: string, options?: PageOptions): Promise<Page>;
}

/** One browser for a test file, started with further flags where it needs any. A page that logs an error or asks another host for something fails its test. */
export function openBrowser(flags: readonly string[] = []): TestBrowser {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium(flags);
  });
  // pages of earlier tests would go on asking gateways that are gone
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    expect(faults).toEqual([]);
  });

  return {
    async page(url, { width = 1280, height = 800, theme = 'light', hosts = [], context = {} } = {}) {
      const opened = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        ...context,
      });
      contexts.push(opened);
      const page = await opened.newPage();
      page.setDefaultTimeout(30_000);
      page.on('pageerror', (error) => faults.push(`${error.name}: ${error.message}`));
      page.on('request', (request) => {
        const asked = new URL(request.url());
        if (/^https?:$/.test(asked.protocol) && !['127.0.0.1', ...hosts].includes(asked.hostname))
          faults.push(`asked ${asked.href}`);
      });
      // what the policy of the page stopped
      page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
      });
      await page.goto(url);
      return page;
    },
  };
}
