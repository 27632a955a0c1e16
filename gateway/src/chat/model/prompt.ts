import type { ChatMessage, ChatToolCall } from '../../operations/chat.ts';
import type { ModelLibrary } from './library.ts';
import type { ModelRequest } from './model.ts';

type Options = Parameters<ModelLibrary['doStream']>[0];
type Prompt = Options['prompt'];

/** A question in the words of the library. */
export function callOptions(request: ModelRequest, signal: AbortSignal): Options {
  const { system, messages, tools, maxTokens } = request;
  return {
    prompt: [{ role: 'system', content: system }, ...messages.map(promptMessage)],
    abortSignal: signal,
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: inputSchema as object,
          })),
        }),
  };
}

function promptMessage(message: ChatMessage): Prompt[number] {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.content }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.reasoning ? [{ type: 'reasoning' as const, text: message.reasoning }] : []),
          ...(message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]),
          ...(message.calls ?? []).map(callPart),
        ],
      };
    default:
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.call,
            toolName: message.tool,
            output: { type: 'text', value: message.content },
          },
        ],
      };
  }
}

function callPart({ id, name, arguments: text, signature }: ChatToolCall) {
  return {
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    // some endpoints read the arguments of earlier calls, and none is not JSON
    input: text.trim() === '' ? '{}' : text,
    ...(signature === undefined ? {} : { providerOptions: { google: { thoughtSignature: signature } } }),
  };
}
