import type { Json } from '../../operations/index.ts';
import { commandLine, type Shape } from './command-line.ts';
import { type FoundCommand, type FoundScript, MAX_DEPTH } from './found.ts';
import type { ProposedTool } from './proposed-tool.ts';
import { MAX_NAME, nameOf, summary } from './words.ts';

/** The tools of one script: itself, or one for each of its subcommands. */
export function proposeTools(entry: string, script: FoundScript): ProposedTool[] {
  const base = nameOf(entry.slice(entry.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]+$/, ''));
  return pathsOf(script.command, []).map((path) => proposeTool(entry, base, script, path));
}

/** Ways to every command without subcommands. */
function pathsOf(command: FoundCommand, above: readonly FoundCommand[]): FoundCommand[][] {
  const path = [...above, command];
  if (command.commands.length === 0 || path.length > MAX_DEPTH) return [path];
  return command.commands.flatMap((one) => pathsOf(one, path));
}

function proposeTool(
  entry: string,
  base: string,
  script: FoundScript,
  path: readonly FoundCommand[],
): ProposedTool {
  const words = path.flatMap(({ word }) => word ?? []);
  const own = path.at(-1)!;
  const described =
    summary(own.description) ?? (words.length === 0 ? summary(script.description) : undefined);
  const doubts = [...script.doubts];
  const whole = summary(script.description);
  if (described === undefined) doubts.push('the script does not say what it does: write a description');
  const { input, args, stdinText, places } =
    script.stdin === undefined ? commandLine(path, script.text, doubts) : standardInput(script.stdin);
  const said =
    described ??
    (whole === undefined ? `Runs ${entry} ${words.join(' ')}`.trim() + '.' : `${whole} (${words.join(' ')})`);
  return {
    name: [base, ...words.map(nameOf)].join('_').slice(0, MAX_NAME),
    description: said,
    entry,
    how: script.how,
    input,
    ...(args === undefined ? {} : { args }),
    ...(stdinText === undefined ? {} : { stdinText }),
    places,
    doubts,
    environment: script.environment,
    ...(script.network === undefined
      ? {}
      : { network: `${script.network.why}, line ${script.network.line}` }),
  };
}

function standardInput({ line, members }: NonNullable<FoundScript['stdin']>): Shape {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const places = new Map<string, string>();
  for (const member of members) {
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(member.name)) continue;
    const { name, fallback } = member;
    properties[name] = {
      ...(typeof fallback === 'number' || typeof fallback === 'boolean' ? { type: typeof fallback } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
    places.set(name, `member of its input, line ${line}`);
    if (member.required) required.push(name);
  }
  const input = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  return { input, places };
}
