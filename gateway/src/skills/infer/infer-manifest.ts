import type { SkillPackageFiles } from '../../sources/skill/index.ts';
import { extensionOf, isCandidate, isScript, isTest, ownFiles } from '../../sources/skill/scripts.ts';
import { type FoundScript, isEntryPoint, MAX_SCRIPT, type ScriptReading } from './found.ts';
import { readHelp } from './help-text.ts';
import { readJavaScriptScript } from './javascript/read-javascript-script.ts';
import { manifestText } from './manifest-text.ts';
import { proposeTools } from './propose-tool.ts';
import type { ProposedTool } from './proposed-tool.ts';
import { readPythonScript } from './python/read-python-script.ts';
import { readShellScript } from './shell/read-shell-script.ts';

export interface InferOptions {
  /** What the script prints for `--help`. Runs foreign code: only where somebody asked for it, isolated. */
  readonly help?: (entry: string) => Promise<string>;
}

/** One tool of a proposal. */
export interface InferredTool {
  readonly name: string;
  /** Path of its script within the package. */
  readonly entry: string;
  /** What its arguments were read from: `argparse`, `getopts`, `--help`, … */
  readonly how: string;
  /** Arguments in its input schema. */
  readonly arguments: number;
  /** What a person should look at. */
  readonly doubts: readonly string[];
}

/** A manifest for a person to review; it counts once it lies in the package. */
export interface InferredManifest {
  /** `tool-manifest.yaml`, with comments. */
  readonly text: string;
  readonly tools: readonly InferredTool[];
  /** Scripts that no tool is proposed for, and why. */
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

type Reader = (source: string) => ScriptReading;

const READERS: Readonly<Record<string, Reader>> = {
  py: readPythonScript,
  sh: readShellScript,
  bash: readShellScript,
  js: readJavaScriptScript,
  mjs: readJavaScriptScript,
  cjs: readJavaScriptScript,
  ts: readJavaScriptScript,
  mts: readJavaScriptScript,
};
/** Scripts that are looked at, and tools and structural signs of one proposal. */
const MAX_SCRIPTS = 200;
const MAX_TOOLS = 100;
const MAX_SIGNS = 5000;

/**
 * Proposes a `tool-manifest.yaml` for a skill, by the text of its scripts: argparse, click, typer, `sys.argv`,
 * commander, yargs, `parseArgs`, `process.argv`, getopts, `case`, usage lines. Runs nothing itself. Never throws for
 * what is in a script; a script that cannot be understood is in `skipped`.
 */
export async function inferManifest(
  skill: SkillPackageFiles,
  options: InferOptions = {},
): Promise<InferredManifest> {
  const tools: ProposedTool[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const scripts = ownFiles(skill.files)
    .filter(({ path }) => isScript(path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const candidates = scripts.filter(({ path }) => isCandidate(path));
  const elsewhere = scripts.filter(({ path }) => !isCandidate(path));
  if (elsewhere[0] !== undefined) {
    const path =
      elsewhere.length === 1 ? elsewhere[0].path : `${elsewhere[0].path} and ${elsewhere.length - 1} more`;
    skipped.push({ path, reason: 'outside of a folder called scripts' });
  }
  let signs = 0;
  for (const [index, { path, bytes }] of candidates.entries()) {
    const reading = index >= MAX_SCRIPTS ? tooMany('scripts') : await readScript(skill, path, bytes, options);
    if (!isEntryPoint(reading)) {
      skipped.push({ path, reason: reading.reason });
      continue;
    }
    const proposed = distinct(proposeTools(path, reading), path, tools);
    const weight = proposed.reduce((sum, tool) => sum + signsOf(tool), 0);
    if (tools.length + proposed.length > MAX_TOOLS || signs + weight > MAX_SIGNS) {
      skipped.push({ path, ...tooMany('tools') });
      continue;
    }
    signs += weight;
    tools.push(...proposed);
  }
  return {
    text: manifestText(tools, skipped),
    tools: tools.map(({ name, entry, how, places, doubts }) => ({
      name,
      entry,
      how,
      arguments: places.size,
      doubts,
    })),
    skipped,
  };
}

function tooMany(what: string): { reason: string } {
  return { reason: `more ${what} than one proposal holds` };
}

/** Signs that structure a manifest, of which its reader takes so many. */
function signsOf(tool: ProposedTool): number {
  return manifestText([tool], []).match(/[:,]/g)?.length ?? 0;
}

async function readScript(
  skill: SkillPackageFiles,
  path: string,
  bytes: number,
  { help }: InferOptions,
): Promise<ScriptReading> {
  const reader = READERS[extensionOf(path)!];
  if (reader === undefined) return { reason: 'its language is not read' };
  if (isTest(path)) return { reason: 'a test, or part of a package' };
  if (bytes > MAX_SCRIPT) return { reason: `larger than ${MAX_SCRIPT / 1024} KiB` };
  const source = new TextDecoder().decode(await skill.read(path));
  const reading = reader(source.replaceAll('\r\n', '\n'));
  return help === undefined || !isEntryPoint(reading) ? reading : withHelp(reading, await help(path));
}

/** What a script prints about itself counts where its text says less. */
function withHelp(reading: FoundScript, text: string): FoundScript {
  const command = readHelp(text);
  if (command === undefined || reading.command.commands.length > 0) return reading;
  const known = new Map(reading.command.arguments.map((argument) => [argument.spelling, argument]));
  if (command.arguments.length <= known.size && command.commands.length === 0) return reading;
  const merged = command.arguments.map((said) => known.get(said.spelling) ?? said);
  const { stdin: _, ...rest } = reading;
  return { ...rest, how: '--help', command: { ...command, arguments: merged } };
}

/** A name that is taken is told apart by the folder, or by a number. */
function distinct(
  proposed: readonly ProposedTool[],
  path: string,
  others: readonly ProposedTool[],
): ProposedTool[] {
  const taken = new Set(others.map(({ name }) => name));
  const folder = path
    .split('/')
    .at(-2)
    ?.replaceAll(/[^A-Za-z0-9]+/g, '_');
  return proposed.map((tool) => {
    const whole = tool.name.length < 2 ? `run_${tool.name}` : tool.name;
    const options = [whole, ...(folder === undefined || folder === 'scripts' ? [] : [`${folder}_${whole}`])];
    let name = options.find((option) => !taken.has(option)) ?? whole;
    for (let next = 2; taken.has(name); next++) name = `${whole}_${next}`;
    taken.add(name);
    return { ...tool, name };
  });
}
