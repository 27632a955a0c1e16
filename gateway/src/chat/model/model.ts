import type { ChatFinish, ChatMessage, ChatToolCall, ChatUsage } from '../../operations/chat.ts';
import type { JsonSchema } from '../../operations/index.ts';

/** A tool as it is sent to the endpoint. */
interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** One question to the model. */
export interface ModelRequest {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly maxTokens: number | undefined;
  readonly system: string;
  /** Without system messages. */
  readonly messages: readonly ChatMessage[];
  /** None: the model can only write. */
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
}

/** What the model said. */
export interface ModelAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ChatToolCall[];
  readonly finish: Exclude<ChatFinish, 'rounds'>;
  readonly usage: ChatUsage;
}
