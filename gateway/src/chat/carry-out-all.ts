import type { ChatMessage, ChatToolCall } from '../operations/chat.ts';
import { type Carrying, carryOut } from './carry-out.ts';
import { MAX_TOGETHER } from './limits.ts';
import type { ToolTable } from './tool-table.ts';

/**
 * The calls of one answer in the order in which they stand there; neighbours that only read run together. Resolves to
 * one message a call, in that order.
 */
export async function carryOutAll(calls: readonly ChatToolCall[], at: Carrying): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  for (const group of groups(calls, at.table)) {
    at.signal.throwIfAborted();
    const answers = await Promise.all(group.map((call) => carryOut(call, at)));
    messages.push(
      ...group.map(({ id, name }, index) => ({
        role: 'tool' as const,
        call: id,
        tool: name,
        content: answers[index]!,
      })),
    );
  }
  return messages;
}

function groups(calls: readonly ChatToolCall[], table: ToolTable): ChatToolCall[][] {
  const found: ChatToolCall[][] = [];
  let reading = false;
  for (const call of calls) {
    const reads = table.find(call.name)?.readOnly === true;
    const last = found.at(-1);
    if (reads && reading && last !== undefined && last.length < MAX_TOGETHER) last.push(call);
    else found.push([call]);
    reading = reads;
  }
  return found;
}
