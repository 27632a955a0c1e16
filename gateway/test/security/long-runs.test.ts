import { describe, expect, test } from 'vitest';
import { trimText } from '../../src/compiler/descriptions.ts';
import { lintSchema } from '../../src/compiler/lint-schema.ts';
import { armEnvelope } from '../../src/connectors/arm-errors.ts';
import { cleanText } from '../../src/operations/text/clean-text.ts';
import { nextPage } from '../../src/results/next-page.ts';
import { htmlText } from '../../src/results/problem-text.ts';
import { tableText } from '../../src/results/shaping/tables.ts';
import { guardMarkdown } from '../../src/results/untrusted/guard-markdown.ts';
import { parseLenientJson } from '../../src/sources/azure/lenient-json.ts';
import { buildToolName } from '../../src/sources/azure/tool-names.ts';
import { isReserved } from '../../src/sources/mcp/tool-meta.ts';
import { notesOf } from '../../src/sources/n8n/notes.ts';
import { mediaKindOf } from '../../src/sources/openapi/media-types.ts';
import { definitionName } from '../../src/sources/openapi/schemas/definition-names.ts';
import { createRedactor } from '../../src/telemetry/redactor.ts';
import { lastWords } from '../../src/upstreams/stdio/last-words.ts';
import { operationOf } from '../executors/http/operation-under-test.ts';
import { processorTime } from '../processor-time.ts';
import { describeText, get, openapi } from '../sources/openapi/describing.ts';

/** Characters of each text; a pattern that begins anew at every one of them takes seconds, as it did for some. */
const LENGTH = 100_000;
/** A machine that is busy needs a tenth of it. */
const BOUND_MS = 2_000;

const filled = (piece: string, end = ''): string =>
  piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH) + end;

/** Runs that a pattern of one of these rooms could begin at every character of, and then misses its end. */
const RUNS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    [' ', 'x'],
    ['\t', 'x'],
    [' \n', 'x'],
    ['_', '!'],
    ['/', 'x'],
    ['.', 'x'],
    ['=', 'x'],
    ['?', '&password=1'],
    [')', 'x'],
    ['{', ''],
    ['[', ''],
    ['<', ''],
    ['<!--', ''],
    ['<title', ''],
    ['<script ', ''],
    ['<a href="', ''],
    ['"\\', ''],
    ['\\"', ''],
    ['`', 'x'],
    ['~', ''],
    ['```toolcrib\n', ''],
    ['```toolcrib-a', ''],
    ['\u0090', ''],
    ['\u001b]', ''],
    ['\u200d', ''],
    ['0', '+'],
    ['A', '!'],
    ['eyJ0000000-', ''],
    ['a.eyJ00000000', ''],
    ['name="x"\n', ''],
    ['[a](', ''],
    [';rel="', ''],
    ['mcp.', '/'],
    ['officedocument', ' '],
    ['error ', ''],
  ].map(([piece, end]) => [JSON.stringify(piece), filled(piece!, end)]),
);

const redactor = createRedactor();
const operation = operationOf({});
const note = (content: string) => ({
  type: 'n8n-nodes-base.stickyNote',
  name: 'note',
  disabled: false,
  position: [0, 0],
  parameters: { content: `toolcrib ${content}` },
});

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'hidden characters': (text) => cleanText(text),
  'a description': (text) => trimText(text, 1200),
  'a document': (text) =>
    describeText(
      openapi(
        get({
          operationId: text,
          summary: text,
          description: text,
          tags: [text],
          parameters: [
            { name: text, in: 'query', description: text, schema: { type: 'string', title: text } },
          ],
        }),
      ),
    ),
  'a path': (text) => describeText(openapi(get({}, `/${text}`))),
  'a media type': (text) => mediaKindOf(text),
  'a reference': (text) => definitionName(`#/${text}`),
  'a reference to a file': (text) => definitionName(`${text}/x.yaml#/a`),
  'a pattern': (text) => lintSchema({ type: 'string', pattern: text }),
  'an answer in Markdown': (text) => guardMarkdown(text, 'defang', []),
  'a page of an error': (text) => htmlText(text),
  'rows of an answer': (text) => tableText([{ a: text, b: '' }, { a: text }]),
  'a Link header': (text) => nextPage(`<https://a.example/?p=1>${text}`, 'https://a.example/', operation),
  'a secret': (text) => redactor.redact(`a=${text}`),
  'JSON of a connector': (text) => parseLenientJson(text),
  'a tool name of a connector': (text) => buildToolName('office365', text),
  'an error of Azure': (text) =>
    armEnvelope({
      status: 400,
      headers: {},
      url: '',
      body: Buffer.from(JSON.stringify({ error: { message: text } })),
    }),
  'a note of n8n': (text) =>
    notesOf({ nodes: [note(text)] } as never, { name: 'w', notes: text, position: [0, 0] } as never, []),
  'a key of an upstream server': (text) => isReserved(`${text}/x`),
  'last words of a program': (text) => lastWords(text),
};

describe.each(Object.entries(READERS))('%s', (_what, read) => {
  test.each(Object.entries(RUNS))('with a long run of %s is read in bounded time', async (_run, text) => {
    const reading = async () => {
      await read(text);
    };
    expect(await processorTime(() => reading().catch(() => undefined))).toBeLessThan(BOUND_MS);
  });
});
