import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Nothing but the page itself speaks to the network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's packages of it. The shell is the same engine without a desktop: a third less of the processor. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser that CHROMIUM_PATH names, else the machine's own. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? INSTALLED.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      `No Chromium is installed: none of ${INSTALLED.join(', ')}. CHROMIUM_PATH names another.`,
    );
  return chromium.launch({ executablePath, args: [...FLAGS, ...more] });
}
