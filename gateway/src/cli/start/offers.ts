import { canOpenBrowser } from '../../credentials/azure/can-open-browser.ts';
import { isToolcribError } from '../../errors.ts';
import type { SurveyedClient } from '../clients/survey.ts';
import { connect } from '../commands/connect.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { reportError } from '../report-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Asker } from './asker.ts';

/** Offers the page, unless it was asked for anyway. True: it is wanted. */
export async function wantsBrowser(
  open: boolean | undefined,
  asker: Asker | undefined,
  { env, platform }: Terminal,
): Promise<boolean> {
  if (open) return true;
  if (!asker?.person || !canOpenBrowser(env, platform)) return false;
  return asker.agree('Open the console in your browser?', true);
}

const NONE = '';

/** Offers to connect a client. The entry is shown and agreed to before it is written; a failure costs nothing else. */
export async function offerConnect(
  clients: readonly SurveyedClient[],
  asker: Asker | undefined,
  options: SourceOptions,
  terminal: Terminal,
): Promise<void> {
  const choices = clients.flatMap(({ name, title, connected }) =>
    connected ? [] : [{ value: name, label: title }],
  );
  if (!asker?.person || choices.length === 0) return;
  const none = { value: NONE, label: 'None now', hint: '`toolcrib connect CLIENT` does it later' };
  const chosen = await asker.select('Connect a client to these tools?', [none, ...choices], NONE);
  if (chosen === NONE) return;
  try {
    await connect(chosen, { ...options, name: 'toolcrib' }, terminal);
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    if (error.code === 'cancelled') terminal.note('Nothing was written.');
    else reportError(error, terminal, false);
  }
}
