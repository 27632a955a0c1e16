import type { JsonObject } from '../../operations/index.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { messageLines } from './message-lines.ts';

/**
 * Shows a page that a tool wants opened, whole, and opens it where the person says so (MCP, elicitation in URL mode).
 * `accept` says no more than that it was opened.
 */
export async function askPage(
  message: string,
  url: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { href } = new URL(url);
  for (const line of messageLines(message, terminal)) terminal.note(line);
  terminal.note(`  ${href}`);
  switch (await terminal.choose?.('o open the page, d decline, s skip: ', ['o', 'd', 's'], signal)) {
    case 'o':
      if (!(await openBrowser(href, terminal)))
        terminal.note('No browser can be opened here: open it yourself.');
      return { action: 'accept' };
    case 'd':
      return { action: 'decline' };
    default:
      return { action: 'cancel' };
  }
}
