import { ERRORS, ToolcribError } from '../../errors.ts';
import {
  type CallError,
  type CompletedResult,
  type ContentBlock,
  isObject,
  type Result,
} from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { withApproval } from '../approvals/ask-approval.ts';
import { fileArguments } from '../call/file-arguments.ts';
import { findEntry, findTool } from '../call/find-tool.ts';
import { parseArguments } from '../call/parse-arguments.ts';
import { curlCommand, requestText, shownRequest } from '../call/request-text.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { terminalChannel } from '../questions/terminal-channel.ts';
import { type StopSignal, stopSignal } from '../stop-signal.ts';
import { json, painter, type Terminal } from '../terminal/terminal.ts';

export interface CallOptions extends SourceOptions {
  readonly dryRun?: boolean;
  readonly curl?: boolean;
}

/** Calls one tool through the same router as every client; the answer goes to standard output. */
export async function call(
  name: string,
  words: readonly string[],
  options: CallOptions,
  terminal: Terminal,
): Promise<number> {
  if (words[0] === '-' && options.spec?.includes('-')) {
    throw new ToolcribError('usage', 'Standard input can be the document or the arguments, not both.');
  }
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway }) => {
    using stop = stopSignal();
    const { tool } = findTool(gateway, name);
    const dryRun = options.dryRun === true || options.curl === true;
    const operation = findEntry(gateway, tool.name)?.load();
    const showProgress = terminal.live && !options.json;
    const { channel, answered } = terminalChannel({ terminal, signal: stop.signal, showProgress });
    const asked = {
      tool: tool.name,
      arguments: await parseArguments(
        words,
        tool.inputSchema,
        terminal,
        operation && fileArguments(operation),
      ),
      signal: stop.signal,
      dryRun,
      channel,
    };
    const begun = await withApproval(gateway, asked, await gateway.call(asked), terminal, stop.signal);
    const result = await answered(begun, (answers) =>
      gateway.call({ ...asked, channel: { ...channel, ...answers } }),
    );
    if (options.json) {
      const request =
        options.curl && result.kind === 'completed' ? shownRequest(result.structured) : undefined;
      terminal.out(json(request === undefined ? result : { ...result, curl: curlCommand(request) }));
      return ended(result, stop);
    }
    if (result.kind === 'completed' && result.error === undefined && dryRun) {
      return showRequest(result, options, terminal);
    }
    show(result, terminal);
    return ended(result, stop);
  });
}

/** Whoever breaks it off breaks off what it is a part of, too: a loop of a shell would make the next call. */
function ended(result: Result, stop: StopSignal): number {
  const code = exitCode(result);
  return code === 0 ? code : stop.exit(code);
}

function exitCode(result: Result): number {
  if (result.kind === 'input_required') return ERRORS.capability_missing.exit;
  return result.error === undefined ? 0 : ERRORS[result.error.code].exit;
}

function showRequest(result: CompletedResult, options: CallOptions, terminal: Terminal): number {
  const request = shownRequest(result.structured);
  if (request === undefined) {
    show(result, terminal);
    return 0;
  }
  terminal.out(options.curl ? curlCommand(request) : requestText(request));
  for (const warning of result.warnings ?? [])
    terminal.note(`${painter(terminal)('yellow', 'warning:')} ${warning}`);
  terminal.note('Nothing was sent.');
  return 0;
}

function show(result: Result, terminal: Terminal): void {
  const paint = painter(terminal);
  if (result.kind === 'input_required') {
    const asked = Object.values(result.requests).map(({ method }) => method);
    const ofPerson = asked.every((method) => method === 'elicitation/create');
    const said = ofPerson
      ? 'The tool asks a person something, and nobody can be asked here.'
      : `The tool asks its client for ${asked.join(', ')}, which the command line cannot answer.`;
    const next = ofPerson ? 'Call it at a terminal.' : ERRORS.capability_missing.next;
    terminal.note(`${paint(['bold', 'red'], 'error capability_missing:')} ${said}`);
    terminal.note(`  next: ${next}`);
    return;
  }
  const { error, content, warnings = [] } = result;
  for (const warning of warnings) terminal.note(`${paint('yellow', 'warning:')} ${warning}`);
  if (error !== undefined) {
    terminal.note(`${paint(['bold', 'red'], `error ${error.code}:`)} ${error.message}`);
    terminal.note(`  next: ${error.next ?? ERRORS[error.code].next}`);
    // whoever has it can connect an account: it stands in the answer alone, and this is who called
    const link = error.details?.['link'];
    if (typeof link === 'string') terminal.note(`  link: ${printable(link)}`);
    showAnswer({ ...result, content: besideError(content, error) }, terminal);
    return;
  }
  showAnswer(result, terminal);
}

function showAnswer(result: CompletedResult, terminal: Terminal): void {
  const { structured, content, warnings = [] } = result;
  const unsaid = content.filter((block) => !repeatsWarnings(block, warnings));
  if (structured !== undefined && !isStandIn(result)) {
    terminal.out(json(structured));
    for (const line of besideAnswer(result, unsaid)) terminal.note(printable(line));
  } else for (const block of unsaid) terminal.out(blockText(block));
}

/** What came of a call that failed: a service may say at the end of a long answer why, and the rest is worth reading. */
function besideError(content: readonly ContentBlock[], { code, message }: CallError): ContentBlock[] {
  return content.filter(
    (block) =>
      block.type !== 'text' || !(block.text.startsWith(`${code}:`) || message.includes(block.text.trim())),
  );
}

/** Models read warnings as notes in the content; a person has read them by now, and a program reads the answer alone. */
function repeatsWarnings(block: ContentBlock, warnings: readonly string[]): boolean {
  return block.type === 'text' && warnings.some((warning) => block.text === `Note: ${warning}`);
}

/** What a model is told beside the answer of a service, as where a thing was made: programs read standard output alone. */
function besideAnswer({ status }: CompletedResult, content: readonly ContentBlock[]): string[] {
  if (status === undefined) return [];
  return content.slice(1).flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []));
}

/** MCP wants structured content of every tool that promises some, also where the service answered none of it. */
function isStandIn({ structured, outputApplies }: CompletedResult): boolean {
  if (outputApplies !== false || !isObject(structured)) return false;
  const names = Object.keys(structured);
  return names.length === 0 || (names.length === 1 && structured['result'] === null);
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[${block.resource.mimeType ?? 'bytes'}: ${block.resource.uri}]`;
    default:
      return `[${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes; --json shows them as base64]`;
  }
}
