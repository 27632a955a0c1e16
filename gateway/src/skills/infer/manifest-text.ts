import { isObject, type Json, type ScriptArgument } from '../../operations/index.ts';
import { jsonEscape } from '../../operations/text/json-escape.ts';
import { assumedAccess } from '../../sources/skill/compile-tool.ts';
import type { ProposedTool } from './proposed-tool.ts';

const HEAD = `# Proposed by \`toolcrib skills infer\` from the scripts of this skill. Nothing in it counts before it lies there as
# tool-manifest.yaml. A person checks every line, above all what a tool may be given and what it is said to do.
# A program may change anything: make "access: write" "read" only where it surely changes nothing. Add "idempotent: true"
# where a second run does no harm: only then a call that failed is tried again.
`;

const MAX_COMMENT = 200;

/** The proposal as YAML, with a comment for everything that was read or guessed. */
export function manifestText(
  tools: readonly ProposedTool[],
  skipped: readonly { readonly path: string; readonly reason: string }[],
): string {
  const left = skipped.map(({ path, reason }) => comment(`Left out: ${path}: ${reason}.`, 0));
  const body = tools.length === 0 ? 'tools: []\n' : `tools:\n${tools.map(toolText).join('\n')}`;
  return `${HEAD}${left.join('')}version: 1\n${body}`;
}

function toolText(tool: ProposedTool): string {
  const { name, description, entry, how, doubts, environment, network } = tool;
  return [
    comment(`${entry}: ${how}`, 2),
    ...doubts.map((doubt) => comment(`Check: ${doubt}.`, 2)),
    `  - name: ${quoted(name)}\n`,
    `    description: ${quoted(description)}\n`,
    `    access: ${assumedAccess(name)}\n`,
    ...(network === undefined ? [] : [comment(`network: true    (${network})`, 4)]),
    ...(environment.length === 0
      ? []
      : [
          comment(
            `env: { ${environment.map((variable) => `${variable}: "{{secrets.${variable}}}"`).join(', ')} }    (it asks for them)`,
            4,
          ),
        ]),
    inputText(tool),
    `    executor:\n      type: script\n      entry: ${quoted(entry)}\n`,
    argumentsText(tool.args),
    tool.stdinText === undefined ? '' : `      stdin_text: ${quoted(tool.stdinText)}\n`,
  ].join('');
}

function inputText({ input, places }: ProposedTool): string {
  const { properties, ...rest } = input;
  const members = isObject(properties) ? Object.entries(properties) : [];
  const lines = members.map(([name, schema]) => {
    const place = places.get(name);
    return `${place === undefined ? '' : comment(place, 8)}        ${quoted(name)}: ${flow(schema)}\n`;
  });
  const others = Object.entries(rest).map(([key, value]) => `      ${key}: ${flow(value)}\n`);
  return `    input_schema:\n${others.join('')}      properties:${lines.length === 0 ? ' {}' : ''}\n${lines.join('')}`;
}

function argumentsText(args: readonly ScriptArgument[] | undefined): string {
  if (args === undefined)
    return comment('without args_template the arguments go to its standard input, as JSON', 6);
  if (args.length === 0) return '      args_template: []\n';
  return `      args_template:\n${args.map((item) => `        - ${flow(item as Json)}\n`).join('')}`;
}

/** A comment never ends before its line does, whatever a script says. */
function comment(text: string, indent: number): string {
  return `${' '.repeat(indent)}# ${plain(text).slice(0, MAX_COMMENT)}\n`;
}

const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFFE\uFFFF]/g;

function plain(text: string): string {
  return text.toWellFormed().replaceAll(UNSEEN, ' ');
}

/** JSON is YAML, as long as nothing in it ends a line. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(UNSEEN, jsonEscape);
}

function flow(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${quoted(key)}: ${flow(member)}`)
    .join(', ')} }`;
}
