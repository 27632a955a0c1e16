import { requireTokenBeyondLoopback } from '../../config/index.ts';
import { missingCredentials, refusedServices } from '../../doctor/index.ts';
import { isToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';
import { consoleAddress, type Greeted, greet } from '../greeting.ts';
import { type OpenedGateway, openGateway } from '../open-gateway.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { noteProblems, overridesOf, type ServeOptions, showEventsUntil } from '../serving.ts';
import { type Asker, askerOf } from '../start/asker.ts';
import { choosePort } from '../start/choose-port.ts';
import { chooseSources, takeOver } from '../start/choose-sources.ts';
import { offerConnect, wantsBrowser } from '../start/offers.ts';
import { requireDocuments } from '../start/require-documents.ts';
import { foundLines, lookAround, type Surroundings } from '../start/surroundings.ts';
import { stopSignal } from '../stop-signal.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface StartOptions extends Omit<ServeOptions, 'stdio' | 'remote' | 'key'> {
  /** Open the console in the browser without asking. */
  readonly open?: boolean;
  /** Answer every question with its default. */
  readonly yes?: boolean;
}

/**
 * The first minute: looks at what is there, asks what to serve, serves it and offers the console and a client. Writes
 * nothing without a yes; where nobody can be asked, what `serve` would serve is served. `until` ends it, too.
 */
export async function start(
  named: readonly string[],
  options: StartOptions,
  terminal: Terminal,
  until?: AbortSignal,
): Promise<number> {
  // who reads JSON is no person
  const asker = options.json && !options.yes ? undefined : askerOf(options, terminal);
  const around = await lookAround(named, options, terminal);
  tell(around, asker !== undefined, options, terminal);
  const chosen = asker === undefined ? { serverFiles: [] } : await chooseSources(around, asker);
  const proposed = around.named ? named : [chosen.document ?? []].flat();
  const { configuration } = await resolveConfiguration(proposed, options, terminal, overridesOf(options));
  await requireDocuments(proposed, terminal);
  const port = await choosePort(configuration.server, asker, terminal);
  // every question that comes before is answered: whoever breaks off finds everything as it was
  const documents = around.named ? named : await takeOver(chosen, terminal);
  using stop = stopSignal(true);
  const signal = until === undefined ? stop.signal : AbortSignal.any([stop.signal, until]);
  const overrides = { ...overridesOf(options), port };
  const opened = await openGateway(documents, options, terminal, overrides);
  stop.started();
  const { gateway } = opened;
  try {
    noteProblems(gateway, terminal);
    // in a team keys and sign-in tokens are what lets callers in
    if (gateway.configuration.auth.mode === 'local') requireTokenBeyondLoopback(gateway.configuration.server);
    const listening = await gateway.listen(gateway.configuration.server);
    const moved = options.port !== undefined || port !== configuration.server.port;
    const served = { opened, url: listening.url, moved, documents, options };
    const stayed = await welcome(served, around, asker, terminal);
    if (stayed) await showEventsUntil(signal, gateway, options, terminal);
    return 0;
  } finally {
    await gateway.close();
  }
}

interface Served extends Greeted {
  readonly options: StartOptions;
}

/** Says what to do next, and offers to do it. False: the person at the terminal broke off, which ends it. */
async function welcome(
  served: Served,
  around: Surroundings,
  asker: Asker | undefined,
  terminal: Terminal,
): Promise<boolean> {
  const { opened, url, documents, options } = served;
  const page = consoleAddress(opened.gateway.configuration, url);
  const live = terminal.live && options.json !== true;
  const signIn = page !== undefined && live ? await newLink(page, opened) : undefined;
  greet({ ...served, ...(signIn === undefined ? {} : { signIn }) }, terminal);
  noteRefused(opened, options, terminal);
  noteMissing(opened, options, terminal);
  try {
    if (page !== undefined && (await wantsBrowser(options.open, asker, terminal))) {
      const opens = await openBrowser(signIn ?? (await newLink(page, opened)), terminal);
      if (!opens) terminal.note('No browser can be opened from here.');
    }
    const { yes: _yes, open: _open, ...sources } = options;
    const spec = documents.length === 0 ? {} : { spec: documents };
    await offerConnect(around.clients, asker, { ...sources, ...spec }, terminal);
    return true;
  } catch (error) {
    if (isToolcribError(error) && error.code === 'cancelled') return false;
    throw error;
  }
}

function tell(around: Surroundings, asking: boolean, options: StartOptions, terminal: Terminal): void {
  if (options.json || around.named) return;
  const lines = foundLines(around);
  if (lines.length > 0) terminal.note(['Found here:', ...lines.map((line) => `  ${line}`)].join('\n'));
  const [first] = around.documents;
  if (!asking && first !== undefined)
    terminal.note(
      `Served is the quickstart; \`toolcrib start ${printable(first.file)}\` serves what was found.`,
    );
}

/** An API on this machine is what many try first, and the door refuses it: said before the first call fails. */
function noteRefused({ gateway }: OpenedGateway, options: StartOptions, terminal: Terminal): void {
  if (options.json) return;
  const refused = refusedServices(gateway.configuration, gateway.view().catalog);
  if (refused.length === 0) return;
  for (const { host, why } of refused) terminal.note(`\nCalls to ${host} are refused: ${why}.`);
  const words = refused.map(({ host }) => `--allow-private ${host}`).join(' ');
  terminal.note(`If that is meant: \`egress.allow\` in toolcrib.yaml, or start again with ${words}`);
}

/** Operations of one source that are read at the start to learn whether its calls lack a credential. */
const MOST_READ = 20;

/** A key that is not there yet is what a first call fails by most. */
function noteMissing({ gateway }: OpenedGateway, options: StartOptions, terminal: Terminal): void {
  if (options.json) return;
  const { catalog } = gateway.view();
  for (const missing of missingCredentials(gateway.configuration, catalog, terminal.env, MOST_READ))
    terminal.note(`\n${missing.calls < missing.of ? 'Some calls: ' : ''}${missing.message}`);
}

/** A secret for whoever sits at the terminal: never into a file or a log. */
async function newLink(page: string, { gateway }: OpenedGateway): Promise<string> {
  const { createSignInCodes, signInLink } = await import('../../server/http/sessions/sign-in-codes.ts');
  return signInLink(page, await createSignInCodes(gateway.configuration.stateDirectory).create());
}
