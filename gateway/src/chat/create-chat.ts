import { randomBytes } from 'node:crypto';
import { asToolcribError, ToolcribError } from '../errors.ts';
import type { Chat, ChatEvent, ChatRequest } from '../operations/chat.ts';
import { converse, type Opened, type Progress } from './conversation.ts';
import type { ChatOptions } from './options.ts';
import { createToolTable } from './tool-table.ts';

/** Conversations of the configured model with the gateway's tools. */
export function createChat(options: ChatOptions): Chat {
  return { run: (request) => run(options, request) };
}

async function* run(options: ChatOptions, request: ChatRequest): AsyncGenerator<ChatEvent, void> {
  const { signal, stop } = request;
  const left = new AbortController();
  const working = AbortSignal.any([signal, left.signal]);
  const asking = stop === undefined ? working : AbortSignal.any([working, stop]);
  const opened = await open(options, request);
  const { table, skill, settings, session } = opened;
  const progress: Progress = { messages: [], usage: {}, rounds: 0 };
  try {
    yield {
      type: 'start',
      session,
      model: request.model ?? settings.model,
      ...(skill.skill === undefined ? {} : { skill: skill.skill }),
      reason: skill.reason,
      tools: {
        static: table.offered.filter(({ dynamic }) => !dynamic).length,
        dynamic: table.offered.filter(({ dynamic }) => dynamic).length,
      },
      shadowed: table.shadowed,
    };
    yield* converse(opened, progress, { working, asking });
  } catch (thrown) {
    const { code, message, next } = ended(thrown, request);
    const { usage, rounds, messages } = progress;
    yield { type: 'error', code, message, next, usage, rounds, messages: [...messages] };
  } finally {
    // whoever stops reading wants no call to go on
    left.abort();
  }
}

/** Throws `chat_unavailable`, `request_invalid`, `credentials_missing`, and what selecting a skill throws. */
async function open(options: ChatOptions, request: ChatRequest): Promise<Opened> {
  const settings = options.configuration();
  if (settings === undefined) {
    throw new ToolcribError('chat_unavailable', 'The configuration names no model.');
  }
  if (request.messages.length === 0) {
    throw new ToolcribError('request_invalid', 'A conversation needs at least one message.', {
      pointer: '/messages',
    });
  }
  const { principal, skill_id: requested } = request;
  const session = request.session ?? randomBytes(16).toString('hex');
  const skill = await options.effectiveSkill(requested, principal, session);
  const [tools, apiKey] = await Promise.all([
    options.tools(principal, skill.skill, session),
    options.apiKey(),
  ]);
  return {
    options,
    request,
    settings,
    apiKey,
    skill,
    table: createToolTable(tools),
    session,
    maxRounds: Math.min(request.maxRounds ?? settings.maxRounds, settings.maxRounds),
  };
}

/** Why it ended, where it was not the model's last word. */
function ended(thrown: unknown, { signal, stop }: ChatRequest): ToolcribError {
  if (stop?.aborted && !signal.aborted) {
    return new ToolcribError('cancelled', 'The gateway is shutting down.', {
      next: 'Ask again: calls that were under way have ended.',
    });
  }
  if (signal.aborted) return new ToolcribError('cancelled', 'The conversation was broken off.');
  return asToolcribError(thrown);
}
