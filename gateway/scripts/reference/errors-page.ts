import { ERRORS } from '../../src/errors.ts';
import { cell } from './schema-words.ts';

const INTRODUCTION = `# Errors

<!-- Written by \`node gateway/scripts/write-reference.mjs\` from the registry of errors. Do not edit. -->

Every failure has a code, says what happened and where, and what to do next. Over MCP a failed call is a result with \`isError\`, unless a JSON-RPC code stands here; our own HTTP API answers with the status; the command line ends with the exit code.

| code | HTTP | MCP | exit | what to do |
|---|---|---|---|---|`;

/** The page of every code. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, row]) => {
    const rpc = 'rpc' in row ? row.rpc : 'tool result';
    return `| \`${code}\` | ${row.status} | ${rpc} | ${row.exit} | ${cell(withTemplates(row.next))} |`;
  });
  return [INTRODUCTION, ...rows, ''].join('\n');
}

/** Braces of templates stand as code, or some readers of Markdown take them for their own. */
function withTemplates(text: string): string {
  return text.replace(/\{\{[^}]*\}\}/g, (template) => `\`${template}\``);
}
