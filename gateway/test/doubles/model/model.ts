import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { streamFrames } from './frames.ts';
import { argumentText, type ScriptedTurn } from './script.ts';

/** An answer that is none of the model. */
export interface ScriptedRefusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ModelQuestion {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: ReadonlyArray<{
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: ReadonlyArray<{
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }>;
      readonly tool_call_id?: string;
    }>;
    readonly tools?: ReadonlyArray<{
      readonly type: string;
      readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
    }>;
    readonly [key: string]: unknown;
  };
  /** Settles when the client is gone or the answer has ended; true: it went before the end. */
  readonly left: Promise<boolean>;
}

type Script = ScriptedTurn | ScriptedRefusal | ((question: ModelQuestion) => ScriptedTurn | ScriptedRefusal);

/** An OpenAI-compatible endpoint on the loopback that says what it was told to, one turn a request. */
export interface ModelDouble {
  /** Base URL, `/v1` included. */
  readonly url: string;
  readonly questions: readonly ModelQuestion[];
  /** Appended; a request beyond the last turn is answered 500. */
  say(...turns: readonly Script[]): void;
  close(): Promise<void>;
}

export async function startModel(): Promise<ModelDouble> {
  const questions: ModelQuestion[] = [];
  const script: Script[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const question: ModelQuestion = {
      path: incoming.url!,
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()) as ModelQuestion['body'],
      left: new Promise((resolve) => response.once('close', () => resolve(!response.writableFinished))),
    };
    questions.push(question);
    const next = script.shift() ?? { status: 500, body: { error: { message: 'the script has ended' } } };
    const turn = typeof next === 'function' ? next(question) : next;
    if ('status' in turn) refuse(response, turn);
    else if (turn.whole || question.body.stream !== true) answerWhole(response, turn);
    else await streamFrames(response, turn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    questions,
    say: (...turns) => void script.push(...turns),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, { status, body, headers = {} }: ScriptedRefusal): void {
  const raw = typeof body === 'string';
  response.writeHead(status, { 'content-type': raw ? 'text/html' : 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body ?? {}));
}

function answerWhole(response: ServerResponse, { text, calls = [], finish, usage }: ScriptedTurn): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'answer-1',
      object: 'chat.completion',
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text ?? null,
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map((call, index) => ({
                    id: call.id ?? `call_${index}`,
                    type: 'function',
                    function: { name: call.name, arguments: argumentText(call) },
                  })),
                }),
          },
          finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        },
      ],
      ...(usage === undefined
        ? {}
        : { usage: { prompt_tokens: usage.input, completion_tokens: usage.output } }),
    }),
  );
}
