import { randomBytes } from 'node:crypto';
import type { Configuration } from '../../../config/index.ts';
import type { ChatConfiguration } from '../../../config/settings/chat.ts';
import { ERRORS, ToolcribError } from '../../../errors.ts';
import type { Gateway } from '../../../gateway.ts';
import type { Chat, ChatEvent, ChatMessage } from '../../../operations/chat.ts';
import { LOCAL_PRINCIPAL, type SecretReference } from '../../../operations/index.ts';
import type { SourceOptions } from '../../options/source-options.ts';
import { type ResolvedConfiguration, resolveConfiguration } from '../../resolve-configuration.ts';
import { stopSignal } from '../../stop-signal.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { askApproval } from './ask-approval.ts';
import { createChatPrinter } from './chat-printer.ts';

export interface ChatCommandOptions extends Pick<SourceOptions, 'config' | 'topology' | 'stateDir' | 'json'> {
  readonly skill?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: SecretReference;
  readonly maxRounds?: number;
}

/** What a session of several questions has so far. */
interface Session {
  readonly chat: Chat;
  readonly gateway: Gateway;
  readonly id: string;
  readonly messages: ChatMessage[];
}

/** Answers one prompt, or each line of the person at the terminal until they leave. */
export async function chat(prompt: string, options: ChatCommandOptions, terminal: Terminal): Promise<number> {
  const gateway = await openChatGateway(options, terminal);
  try {
    if (gateway.chat === undefined) {
      throw new ToolcribError('chat_unavailable', 'This gateway has no chat.');
    }
    const session: Session = {
      chat: await gateway.chat(),
      gateway,
      id: randomBytes(16).toString('hex'),
      messages: [],
    };
    if (prompt !== '') return await ask(prompt, session, options, terminal);
    if (terminal.interactive && terminal.line !== undefined) return await talk(session, options, terminal);
    const given = (await terminal.readInput()).trim();
    if (given === '')
      throw new ToolcribError('usage', 'There is nothing to ask.', { next: 'See `toolcrib chat --help`.' });
    return await ask(given, session, options, terminal);
  } finally {
    await gateway.close();
  }
}

/** Ctrl-C at the prompt, Ctrl-D and an empty line end it; a failed answer does not. */
async function talk(session: Session, options: ChatCommandOptions, terminal: Terminal): Promise<number> {
  for (;;) {
    const prompt = (await terminal.line?.('> ', ''))?.trim();
    if (prompt === undefined || prompt === '') return 0;
    await ask(prompt, session, options, terminal);
  }
}

/** Resolves to the exit code. Ctrl-C ends the answer. */
async function ask(
  prompt: string,
  { chat: conversation, gateway, id, messages }: Session,
  options: ChatCommandOptions,
  terminal: Terminal,
): Promise<number> {
  using stop = stopSignal();
  const print = options.json ? asJson(terminal) : createChatPrinter(terminal, options.skill);
  messages.push({ role: 'user', content: prompt });
  const { skill, model, maxRounds } = options;
  const events = conversation.run({
    messages: [...messages],
    principal: LOCAL_PRINCIPAL,
    signal: stop.signal,
    session: id,
    ...(skill === undefined ? {} : { skill_id: skill }),
    ...(model === undefined ? {} : { model }),
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(terminal.interactive && terminal.choose !== undefined
      ? { approval: (asked) => askApproval(gateway, asked, terminal, stop.signal) }
      : { approvalWaitMs: 0 }),
  });
  let exit = 0;
  for await (const event of events) {
    print(event);
    if (event.type !== 'done' && event.type !== 'error') continue;
    messages.push(...event.messages);
    if (event.type === 'error') exit = stop.exit(ERRORS[event.code].exit);
  }
  return exit;
}

function asJson(terminal: Terminal): (event: ChatEvent) => void {
  return (event) => {
    if (event.type !== 'done' && event.type !== 'error') return terminal.out(JSON.stringify(event));
    const { messages: _messages, ...shown } = event;
    terminal.out(JSON.stringify(shown));
  };
}

/** A gateway whose `chat` is what the command line says. Throws `chat_unavailable` without an endpoint and a model. */
async function openChatGateway(options: ChatCommandOptions, terminal: Terminal): Promise<Gateway> {
  // of its own options only these are about sources: --base-url is the endpoint of the model
  const { config, topology, stateDir } = options;
  const ofSources = {
    ...(config === undefined ? {} : { config }),
    ...(topology === undefined ? {} : { topology }),
    ...(stateDir === undefined ? {} : { stateDir }),
  };
  const { configuration, origin } = await resolveConfiguration([], ofSources, terminal, {
    watch: false,
    listening: false,
  });
  const settings = chatSettings(configuration, origin, options);
  const { createGateway } = await import('../../../gateway.ts');
  // whoever typed the endpoint means it, private or not
  const allow = [...new Set([...configuration.egress.allow, new URL(settings.baseUrl).origin])];
  return createGateway({ ...configuration, egress: { ...configuration.egress, allow }, chat: settings });
}

/** The configured endpoint, or another one; the key is for the one that it was configured with. */
function chatSettings(
  { chat: configured, file }: Configuration,
  origin: ResolvedConfiguration['origin'],
  { baseUrl, model, apiKey }: ChatCommandOptions,
): ChatConfiguration {
  const url = baseUrl ?? configured?.baseUrl;
  const name = model ?? configured?.model;
  if (url === undefined || name === undefined) {
    throw new ToolcribError('chat_unavailable', 'No endpoint or no model is configured.', {
      // the quickstart's file is nobody's to write into
      ...(file === undefined || origin === 'quickstart' ? {} : { location: file, pointer: '#/chat' }),
      next: 'Set `chat.baseUrl` and `chat.model` in toolcrib.yaml, or give --base-url and --model.',
    });
  }
  const same = configured !== undefined && new URL(url).origin === new URL(configured.baseUrl).origin;
  const key = apiKey ?? (same ? configured.apiKey : undefined);
  const { apiKey: _key, ...rest } = configured ?? { maxRounds: DEFAULT_ROUNDS };
  return { ...rest, baseUrl: url, model: name, ...(key === undefined ? {} : { apiKey: key }) };
}

const DEFAULT_ROUNDS = 8;
