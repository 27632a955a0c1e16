import type { ServerResponse } from 'node:http';
import { argumentText, type ScriptedTurn } from './script.ts';

/** Streams a turn as Server-Sent Events, in pieces that respect neither lines nor characters. */
export async function streamFrames(response: ServerResponse, turn: ScriptedTurn): Promise<void> {
  const { pieces = 1000, crlf = false, cutAfter, failAfter, holdAfter, hold } = turn;
  const end = crlf ? '\r\n' : '\n';
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const write = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieces) {
      if (response.destroyed) return;
      response.write(bytes.subarray(at, at + pieces));
      // each piece is a packet of its own
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await write(`: ready${end}${end}`);
  let sent = 0;
  for (const frame of frames(turn)) {
    if (sent === cutAfter) {
      response.destroy();
      return;
    }
    if (sent === failAfter) {
      await write(`data: {"error":{"message":"The model is overloaded.","type":"overloaded"}}${end}${end}`);
      response.end();
      return;
    }
    if (sent === holdAfter) await hold;
    await write(`data: ${JSON.stringify(frame)}${end}${end}`);
    sent++;
  }
  await write(`data: [DONE]${end}${end}`);
  response.end();
}

function* frames({ text = '', reasoning = '', calls = [], finish, usage }: ScriptedTurn): Generator<object> {
  yield chunk({ role: 'assistant', content: '' });
  for (const part of parts(reasoning)) yield chunk({ reasoning_content: part });
  for (const part of parts(text)) yield chunk({ content: part });
  // names first, then the arguments of all calls in turn: pieces of one call do not stand together
  const texts = calls.map(argumentText);
  for (const [index, { id, name }] of calls.entries()) {
    yield chunk({
      tool_calls: [{ index, id: id ?? `call_${index}`, type: 'function', function: { name, arguments: '' } }],
    });
  }
  const rest = texts.map(parts);
  while (rest.some((left) => left.length > 0)) {
    for (const [index, left] of rest.entries()) {
      const part = left.shift();
      if (part !== undefined) yield chunk({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  yield chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  if (usage !== undefined) {
    yield { ...EMPTY, choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } };
  }
}

const EMPTY = { id: 'answer-1', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
const PART = 5;

function chunk(delta: object, finish: string | null = null): object {
  return { ...EMPTY, choices: [{ index: 0, delta, finish_reason: finish }] };
}

function parts(text: string): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / PART) }, (_, at) =>
    characters.slice(at * PART, (at + 1) * PART).join(''),
  );
}
