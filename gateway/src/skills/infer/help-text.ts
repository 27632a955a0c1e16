import { FLAG, type FoundArgument, type FoundCommand, MAX_ARGUMENTS, MAX_COMMANDS } from './found.ts';
import { readUsageLine, usageLine } from './usage-line.ts';

const MAX_LINES = 400;

/** A row of a section of `--help`: what is written left, and the text right of it. */
interface Row {
  readonly left: string;
  readonly text: string;
}

/** Reads what argparse, click, typer and commander print for `--help`; undefined where it is nothing of the kind. */
export function readHelp(help: string): FoundCommand | undefined {
  const sections = sectionsOf(help.replaceAll(/\u001B\[[0-9;]*m/g, ''));
  const usage = usageLine(help);
  const found: FoundArgument[] = [];
  const commands: FoundCommand[] = [];
  for (const { title, rows } of sections) {
    for (const { left, text } of rows) {
      if (/command/i.test(title) && !left.startsWith('-')) {
        const [word = ''] = left.split(/[ |]/);
        if (/^[A-Za-z0-9][\w.:-]*$/.test(word) && word !== 'help' && commands.length < MAX_COMMANDS)
          commands.push({ word, description: text, arguments: [], commands: [] });
      } else if (found.length >= MAX_ARGUMENTS) break;
      else if (left.startsWith('-')) {
        const flag = optionRow(left, text);
        if (flag !== undefined) found.push(flag);
      } else if (/argument/i.test(title)) found.push(...argumentRow(left, text));
    }
  }
  if (found.length + commands.length === 0 && usage === undefined) return undefined;
  // The usage line knows what is required, and the order of what has no flag.
  const spoken = usage === undefined ? [] : readUsageLine(usage, 0);
  const order = new Map(
    spoken.map((argument, index) => [argument.spelling.toLowerCase(), { argument, index }]),
  );
  const flags = found
    .filter(({ flag }) => flag !== undefined)
    .map((own) => ({
      ...own,
      required: own.required || order.get(own.spelling.toLowerCase())?.argument.required === true,
    }));
  const places = found.filter(({ flag }) => flag === undefined);
  const known =
    places.length > 0
      ? places
      : spoken.filter(
          ({ flag, spelling }) => flag === undefined && !/^(?:options|command|args)$/i.test(spelling),
        );
  const merged = known.map((own) => {
    const said = order.get(own.spelling.toLowerCase())?.argument;
    const spelling = own.spelling.toLowerCase();
    if (said === undefined) return own;
    const many = said.values === undefined ? {} : { values: said.values };
    return { ...own, spelling, required: said.required, ...many };
  });
  return { arguments: [...flags, ...merged], commands };
}

/** `-p, --port PORT`, `--format {json,text}`, `--name TEXT`, `--port <n>`, `--[no-]colour`. */
function optionRow(left: string, text: string): FoundArgument | undefined {
  const words = left.replaceAll(/--\[no-\]/g, '--').split(/[\s,=]+/);
  const flags = words.filter((word) => FLAG.test(word));
  const flag = flags.find((word) => word.startsWith('--')) ?? flags[0];
  if (flag === undefined || flag === '--help' || flag === '--version') return undefined;
  const value = /(?:\{([^}]*)\}|<([^>]*)>|\[([^\]]*)\]|\s([A-Z][A-Z0-9_]*)\b)/.exec(
    left.replaceAll(/--\[no-\]/g, '--'),
  );
  const [choices] = value === null ? [] : [value[1] ?? choicesOf(value[3])];
  const fallback = /[[( ]default:? ([^\]),]{1,80})[\]),]/i.exec(text)?.[1]?.replaceAll(/^["']|["']$/g, '');
  const description = text
    .replaceAll(/\s?[[(](?:default|required|choices|possible)[^\])]{0,120}[\])]/gi, '')
    .trim();
  return {
    spelling: flag,
    flag,
    kind: value === null ? 'switch' : 'value',
    type: /^(?:INTEGER|INT|PORT|N|NUMBER|COUNT|n|number|port|count)$/.test(value?.[4] ?? value?.[2] ?? '')
      ? 'integer'
      : value?.[4] === 'FLOAT'
        ? 'number'
        : 'string',
    required: /[[(]required[\])]/i.test(text),
    line: 0,
    ...(description === '' ? {} : { description }),
    ...(value !== null && /\.{3}|…/.test(left) ? { values: 'many' as const } : {}),
    ...(choices === undefined ? {} : { choices: choices.split(/[,|]/) }),
    ...(fallback === undefined || value === null ? {} : { fallback }),
  };
}

function choicesOf(text: string | undefined): string | undefined {
  return text?.includes('|') ? text : undefined;
}

function argumentRow(left: string, text: string): FoundArgument[] {
  const { line, ...base } = { line: 0, kind: 'value' as const, type: 'string' as const };
  const [word = ''] = left.split(/\s+/);
  const choices = /^\{([^}]+)\}$/.exec(word)?.[1]?.split(',');
  const spelling = choices === undefined ? word.replaceAll(/[<>[\]*]|\.{3}/g, '').toLowerCase() : 'choice';
  if (!/^[A-Za-z][\w-]*$/.test(spelling)) return [];
  return [
    {
      ...base,
      line,
      spelling,
      required: !word.startsWith('['),
      ...(text === '' ? {} : { description: text }),
      ...(choices === undefined ? {} : { choices }),
    },
  ];
}

/** Rows under headings that end with a colon; what stands further in goes on with the row above. */
function sectionsOf(help: string): { readonly title: string; readonly rows: Row[] }[] {
  const sections: { title: string; rows: Row[] }[] = [];
  let indent = 0;
  for (const raw of help.split('\n', MAX_LINES)) {
    const line = raw
      .slice(0, 1000)
      .replaceAll(/[│╭╮╰╯─]/g, ' ')
      .trimEnd();
    if (line.trim() === '') continue;
    const depth = line.length - line.trimStart().length;
    const text = line.trim();
    if (depth === 0) {
      if (text.endsWith(':')) sections.push({ title: text, rows: [] });
      else if (!/^usage/i.test(text) && sections.length > 0) sections.push({ title: '', rows: [] });
      indent = 0;
      continue;
    }
    const rows = sections.at(-1)?.rows;
    if (rows === undefined) continue;
    if (indent === 0) indent = depth;
    const split = text.search(/\s{2,}/);
    if (depth <= indent + 2)
      rows.push(
        split < 0 ? { left: text, text: '' } : { left: text.slice(0, split), text: text.slice(split).trim() },
      );
    else if (rows.length > 0) {
      const last = rows.pop()!;
      rows.push({ left: last.left, text: `${last.text} ${text}`.trim().slice(0, 1000) });
    }
  }
  return sections;
}
