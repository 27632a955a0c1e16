import { connect } from 'node:net';
import { type Configuration, localAddress } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { StoreOptions } from '../approvals/with-approvals.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface ConsoleOptions extends StoreOptions {
  readonly print?: boolean;
  readonly url?: string;
  readonly port?: number;
}

/** How long a gateway may take to answer that it is there, milliseconds. */
const PATIENCE_MS = 1_000;

/** Makes a link that signs a browser in, prints it, and opens it where a person sits before this terminal. */
export async function openConsole(options: ConsoleOptions, terminal: Terminal): Promise<number> {
  const { configuration } = await resolveConfiguration([], options, terminal, { listening: false });
  if (configuration.server.console === false) {
    throw new ToolcribError(
      'configuration_invalid',
      'The console is switched off: server.console is false.',
      {
        pointer: '#/server/console',
      },
    );
  }
  const address = addressOf(configuration, options);
  const { createSignInCodes, signInLink } = await import('../../server/http/sessions/index.ts');
  const codes = createSignInCodes(configuration.stateDirectory);
  const code = await codes.create();
  if (await isElsewhere(code, address, configuration, options)) {
    await codes.use(code);
    throw new ToolcribError(
      'usage',
      `The gateway at ${address} keeps its state elsewhere than in ${configuration.stateDirectory}: a link made here does not sign in there.`,
      {
        next: 'Run this in the folder from which the gateway was started, or with its --config or --state-dir; what `serve` prints as it starts has the whole command.',
      },
    );
  }
  const link = signInLink(address, code);
  terminal.out(options.json ? json({ url: link }) : link);
  if (options.json) return 0;
  terminal.note(
    'It signs you in as the owner of this machine, once, within five minutes. Show it to nobody.',
  );
  if (options.url === undefined && !(await answers(address))) {
    terminal.note(`Nothing listens at ${address} yet: start the gateway, then open the link.`);
  } else if (await isOther(address, configuration, options, terminal)) {
    terminal.note(
      `What listens at ${address} is no gateway of Toolcrib: do not open the link there. Name the port of yours by --port; \`toolcrib doctor\` says who has this one.`,
    );
  } else if (options.print !== true && terminal.live) {
    if (!(await openBrowser(link, terminal)))
      terminal.note('No browser can be opened here: open it yourself.');
  }
  return 0;
}

/** Where a browser of this machine reaches the gateway. */
function addressOf({ server, policy }: Configuration, { url, port }: ConsoleOptions): string {
  if (url !== undefined) {
    if (/^https?:\/\//.test(url) && URL.canParse(url)) return new URL(url).origin;
    throw new ToolcribError('usage', '--url names an http or https address.');
  }
  const people = policy.approvals?.url;
  if (port === undefined && people !== undefined) return new URL(people).origin;
  return localAddress({ ...server, port: port ?? server.port });
}

/** The gateway at its own address of this machine says that it does not know the code; one that says nothing may. */
async function isElsewhere(
  code: string,
  address: string,
  { server }: Configuration,
  { port = server.port }: ConsoleOptions,
): Promise<boolean> {
  if (address !== localAddress({ ...server, port })) return false;
  const { askAt } = await import('../../doctor/port/ask-at.ts');
  const { idOf } = await import('../../server/http/sessions/index.ts');
  return (await askAt(address, `/api/v1/session/links/${idOf(code)}`))?.['waits'] === false;
}

/** Another program at the gateway's own address of this machine would be handed the code. Of other addresses nothing is known. */
async function isOther(
  address: string,
  { server }: Configuration,
  { port = server.port }: ConsoleOptions,
  { env }: Terminal,
): Promise<boolean> {
  const own = { ...server, port };
  if (address !== localAddress(own)) return false;
  const { gatewayAt } = await import('../../doctor/port/gateway-at.ts');
  return (await gatewayAt(own, env)) === undefined;
}

function answers(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  return new Promise((resolve) => {
    const end = (there: boolean) => {
      socket.destroy();
      resolve(there);
    };
    socket.setTimeout(PATIENCE_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
