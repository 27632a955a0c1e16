import type {
  ChatEvent,
  ChatFinish,
  ChatMessage,
  ChatRequest,
  ChatToolCall,
  ChatUsage,
} from '../operations/chat.ts';
import { carryOutAll } from './carry-out-all.ts';
import { whileRunning } from './event-queue.ts';
import { MAX_CONVERSATION_CHARACTERS } from './limits.ts';
import { askModel } from './model/ask-model.ts';
import type { ModelAnswer } from './model/model.ts';
import type { ChatOptions, ChatSettings, ChatSkill } from './options.ts';
import { systemText } from './system-text.ts';
import type { ToolTable } from './tool-table.ts';

/** Everything that was settled before the first question to the model. */
export interface Opened {
  readonly options: ChatOptions;
  readonly request: ChatRequest;
  readonly settings: ChatSettings;
  readonly apiKey: string | undefined;
  readonly skill: ChatSkill;
  readonly table: ToolTable;
  readonly session: string;
  readonly maxRounds: number;
}

/** What a conversation has come to; kept up to date while it goes on. */
export interface Progress {
  /** Said since the request, whole rounds only. */
  readonly messages: ChatMessage[];
  usage: ChatUsage;
  rounds: number;
}

/**
 * Rounds of the model and its calls until it only writes. After the last round with tools it is asked once more
 * without any. `working` ends when the caller goes away, `asking` also when the process is about to end.
 */
export async function* converse(
  opened: Opened,
  progress: Progress,
  { working, asking }: { readonly working: AbortSignal; readonly asking: AbortSignal },
): AsyncGenerator<ChatEvent, void> {
  const { options, request, table, maxRounds, skill, session } = opened;
  for (let round = 1; ; round++) {
    const said = [...request.messages, ...progress.messages];
    const final = round > maxRounds || table.offered.length === 0 || isLong(said);
    const bounded = final && table.offered.length > 0;
    yield { type: 'round', round, of: maxRounds, final: bounded };
    progress.rounds = round;
    const answer = yield* answered(opened, said, { final, bounded, signal: asking });
    progress.usage = sum(progress.usage, answer.usage);
    const calls = final ? [] : answer.calls;
    const turn = turnOf(answer, calls);
    if (calls.length === 0) {
      progress.messages.push(turn);
      yield done(answer.text, bounded ? bound(answer.finish) : answer.finish, progress);
      return;
    }
    const results = yield* whileRunning<ChatEvent, ChatMessage[]>((emit) =>
      carryOutAll(calls, {
        options,
        request,
        table,
        skill: skill.skill,
        session,
        signal: working,
        emit,
      }),
    );
    progress.messages.push(turn, ...results);
    asking.throwIfAborted();
  }
}

/** The text of one answer as events. */
async function* answered(
  { options, request, settings, apiKey, skill, table }: Opened,
  said: readonly ChatMessage[],
  { final, bounded, signal }: { final: boolean; bounded: boolean; signal: AbortSignal },
): AsyncGenerator<ChatEvent, ModelAnswer> {
  const asked = askModel(options, {
    baseUrl: settings.baseUrl,
    model: request.model ?? settings.model,
    apiKey,
    maxTokens: settings.maxTokens,
    system: systemText({ system: settings.system, skill, messages: said, final: bounded }),
    messages: said.filter(({ role }) => role !== 'system'),
    tools: final
      ? []
      : table.offered.map(({ wire, description, inputSchema }) => ({ name: wire, description, inputSchema })),
    signal,
  });
  try {
    for (;;) {
      const next = await asked.next();
      if (next.done) return next.value;
      yield { type: 'message.delta', text: next.value };
    }
  } finally {
    await asked.return(undefined as never).catch(() => undefined);
  }
}

function turnOf({ text, reasoning }: ModelAnswer, calls: readonly ChatToolCall[]): ChatMessage {
  return {
    role: 'assistant',
    content: text,
    ...(calls.length === 0 ? {} : { calls }),
    // only while it still calls: a model needs what it thought until it has answered
    ...(reasoning === '' || calls.length === 0 ? {} : { reasoning }),
  };
}

function done(text: string, finish: ChatFinish, { messages, usage, rounds }: Progress): ChatEvent {
  return { type: 'done', text, usage, rounds, finish_reason: finish, messages: [...messages] };
}

/** An answer that had to do without tools, and came to its own end. */
function bound(finish: ModelAnswer['finish']): ChatFinish {
  return finish === 'stop' || finish === 'other' ? 'rounds' : finish;
}

function isLong(messages: readonly ChatMessage[]): boolean {
  let characters = 0;
  for (const message of messages) {
    characters += message.content.length;
    if (message.role === 'assistant') {
      for (const { arguments: text } of message.calls ?? []) characters += text.length;
    }
  }
  return characters > MAX_CONVERSATION_CHARACTERS;
}

function sum(one: ChatUsage, other: ChatUsage): ChatUsage {
  const input = added(one.input_tokens, other.input_tokens);
  const output = added(one.output_tokens, other.output_tokens);
  return {
    ...(input === undefined ? {} : { input_tokens: input }),
    ...(output === undefined ? {} : { output_tokens: output }),
  };
}

function added(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
