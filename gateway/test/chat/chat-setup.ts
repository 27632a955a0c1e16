import { afterEach } from 'vitest';
import { createChat } from '../../src/chat/create-chat.ts';
import type { ChatCall, ChatOptions, ChatTool } from '../../src/chat/options.ts';
import { createEgress } from '../../src/egress/index.ts';
import type { ChatEvent, ChatRequest } from '../../src/operations/chat.ts';
import { LOCAL_PRINCIPAL, type Result } from '../../src/operations/index.ts';
import { type ModelDouble, startModel } from '../doubles/model/model.ts';

const opened: Array<() => Promise<unknown>> = [];

/** Closes what the tests of a file opened. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });
}

export interface ChatSetup {
  readonly model: ModelDouble;
  readonly calls: readonly ChatCall[];
  /** Milliseconds that were waited before repetitions. */
  readonly pauses: readonly number[];
  /** Every event, in order. */
  run(request?: Partial<ChatRequest> & { readonly ask?: string }): Promise<ChatEvent[]>;
  stream(request?: Partial<ChatRequest> & { readonly ask?: string }): AsyncIterable<ChatEvent>;
}

export const KEY = 'sk-double-5f0c21aa';

export function tool(name: string, more: Partial<ChatTool> = {}): ChatTool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
    readOnly: false,
    ...more,
  };
}

/** A result with one line of text. */
export function says(text: string): Result {
  return { kind: 'completed', content: [{ type: 'text', text }] };
}

/** A chat over the loopback model; what is not given has no tools and no skill. */
export async function chatSetup(options: Partial<ChatOptions> = {}): Promise<ChatSetup> {
  const model = await startModel();
  const egress = createEgress({ allow: [new URL(model.url).origin] });
  opened.push(
    () => model.close(),
    () => egress.close(),
  );
  const calls: ChatCall[] = [];
  const pauses: number[] = [];
  const { call = async () => says('done') } = options;
  const chat = createChat({
    configuration: () => ({ baseUrl: model.url, model: 'scripted', maxRounds: 8 }),
    egress,
    apiKey: async () => KEY,
    tools: async () => ({ static: [], dynamic: [] }),
    effectiveSkill: () => ({ reason: 'none is asked for' }),
    pause: async (ms) => void pauses.push(ms),
    ...options,
    call: async (one) => {
      calls.push(one);
      return call(one);
    },
  });
  const stream: ChatSetup['stream'] = ({ ask = 'Hello?', ...request } = {}) =>
    chat.run({
      messages: [{ role: 'user', content: ask }],
      principal: LOCAL_PRINCIPAL,
      signal: new AbortController().signal,
      ...request,
    });
  return {
    model,
    calls,
    pauses,
    stream,
    run: async (request) => {
      const events: ChatEvent[] = [];
      for await (const event of stream(request)) events.push(event);
      return events;
    },
  };
}

/** Text that was streamed. */
export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'message.delta' ? event.text : '')).join('');
}

export function typesOf(events: readonly ChatEvent[]): string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

export function only<T extends ChatEvent['type']>(
  events: readonly ChatEvent[],
  type: T,
): Array<Extract<ChatEvent, { type: T }>> {
  return events.filter((event) => event.type === type) as Array<Extract<ChatEvent, { type: T }>>;
}
