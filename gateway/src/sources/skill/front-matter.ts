import { ToolcribError } from '../../errors.ts';
import { type Diagnostic, isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { cutText } from '../../operations/text/cut-text.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import { PACKAGE_LIMITS } from './limits.ts';
import { matterLines, PEOPLE_ALONE } from './matter-lines.ts';
import { readYaml } from './read-yaml.ts';

/** What SKILL.md says of its skill. */
export interface FrontMatter {
  /** Its name, in the characters that an id has. */
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[];
  /** Every member as it is written. */
  readonly frontMatter: JsonObject;
  /** What the specification forbids and real skills do. */
  readonly findings: readonly Diagnostic[];
}

/** Agent Skills specification, front matter: name. */
const NAME = /^(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)$/;
const KNOWN = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
const MOST_DESCRIPTION = 1024;
const MOST_COMPATIBILITY = 500;
const MOST_ENTRIES = 100;

/**
 * Front matter by the Agent Skills specification. What real skills break becomes a finding.
 *
 * @param file as it is named in places
 * @throws `skill_invalid` where there is no front matter, no name or no description
 */
export async function readFrontMatter(text: string, file: string): Promise<FrontMatter> {
  const findings: Diagnostic[] = [];
  const say = (code: string, message: string, location: string) =>
    findings.push({ code, severity: 'warning', message, location });
  const { front, place, fault } = await read(text, file);
  const { name, description, license, compatibility, metadata, 'allowed-tools': allowed } = front;
  const missing = (key: 'name' | 'description', finding: string, what: string) =>
    fault === undefined
      ? invalid(finding, `${key} is missing: ${what}`, place([key]))
      : invalid(fault.code, `${fault.message}, and no ${key} can be read from it.`, fault.location);
  const id = idOf(scalarText(name));
  if (id === undefined) throw missing('name', 'skill-name', '1 to 64 small letters, digits and single "-".');
  const said = cleanText(scalarText(description) ?? '').text.trim();
  if (said === '')
    throw missing('description', 'skill-description', 'what the skill does and when to use it.');
  if (fault !== undefined)
    say(fault.code, `${fault.message}: its plain keys are read line by line.`, fault.location);
  if (!NAME.test(String(name)))
    say(
      'skill-name',
      `name has 1 to 64 small letters, digits and single "-": the skill is called ${id}.`,
      place(['name']),
    );
  if (said.length > MOST_DESCRIPTION)
    say(
      'skill-description',
      `description has ${said.length} characters, and many clients read ${MOST_DESCRIPTION}.`,
      place(['description']),
    );
  if (license !== undefined && typeof license !== 'string')
    say('skill-license', 'license is text.', place(['license']));
  if (compatibility !== undefined && (scalarText(compatibility)?.length ?? Infinity) > MOST_COMPATIBILITY)
    say(
      'skill-compatibility',
      `compatibility is text of at most ${MOST_COMPATIBILITY} characters.`,
      place(['compatibility']),
    );
  const texts = metadata === undefined ? undefined : textsOf(metadata);
  if (texts !== undefined && !texts.isExact)
    say('skill-metadata', 'metadata maps text to text.', place(['metadata']));
  if (allowed !== undefined && typeof allowed !== 'string')
    say('skill-allowed-tools', 'allowed-tools is one text with spaces between.', place(['allowed-tools']));
  for (const key of Object.keys(front)
    .filter((one) => !KNOWN.includes(one) && one !== PEOPLE_ALONE)
    .slice(0, MOST_ENTRIES))
    say(
      'skill-key-unknown',
      `The specification does not know ${cutText(key, 64)}, and nothing here follows it.${declaresTools(key, front[key]) ? ' Tools stand in tool-manifest.yaml, beside SKILL.md.' : didYouMean(key, KNOWN)}`,
      place([key]),
    );
  const needs = scalarText(compatibility);
  const terms = scalarText(license);
  const tools = toolsOf(allowed);
  return {
    name: id,
    description: cutText(said, PACKAGE_LIMITS.description),
    ...(terms === undefined ? {} : { license: cutText(cleanText(terms).text, 500) }),
    ...(needs === undefined ? {} : { compatibility: cutText(cleanText(needs).text, MOST_COMPATIBILITY) }),
    ...(texts === undefined ? {} : { metadata: texts.values }),
    ...(tools === undefined ? {} : { allowedTools: tools }),
    frontMatter: front,
    findings,
  };
}

/** Some have their tools in the front matter, with arguments and executor; a list of names is what they may use. */
function declaresTools(key: string, value: Json | undefined): boolean {
  return key === 'tools' && Array.isArray(value) && value.some(isObject);
}

interface Matter {
  readonly front: JsonObject;
  place(path: readonly PropertyKey[]): string;
  /** It is no YAML: `front` has the keys that can be read all the same. */
  readonly fault?: { readonly code: string; readonly message: string; readonly location: string };
}

/** Why a file has no front matter, as its author sees it. */
function notFound(text: string): string {
  const begins = 'It has to begin with YAML between two lines "---"';
  const first = cleanText(text.slice(0, 1000).split(/\r?\n/, 1)[0]!).text.trimEnd();
  if (first === '') return `${begins}; its first line is empty.`;
  if (first !== '---') return `${begins}; its first line is ${JSON.stringify(cutText(first, 60))}.`;
  return `${begins}; the second one is missing, or comes after ${PACKAGE_LIMITS.frontMatter} characters.`;
}

async function read(text: string, file: string): Promise<Matter> {
  const matter = matterLines(text, PACKAGE_LIMITS.frontMatter);
  if (matter === undefined) throw invalid('skill-front-matter', notFound(text), `${file}:1`);
  try {
    // the first line is the `---`, so that lines count as in the file
    const { value, place } = await readYaml(`\n${matter.yaml}`, file);
    if (isObject(value)) return { front: value, place };
    throw invalid('skill-front-matter', 'Its front matter is no mapping of keys.', `${file}:2`);
  } catch (error) {
    if (!(error instanceof ToolcribError) || error.code !== 'source_invalid') throw error;
    // `description: Use this: …` is no YAML, and many write it
    const reason = error.message.split('YAML: ').at(-1)!.replace(/\.$/, '');
    const places = new Map(matter.plain.map(({ key, line }) => [key, `${file}:${line}`]));
    return {
      front: Object.fromEntries(matter.plain.map(({ key, value }) => [key, value])),
      place: ([key]) => places.get(String(key)) ?? `${file}:1`,
      fault: {
        code: 'skill-front-matter',
        message: `The front matter is no valid YAML (${cutText(reason, 200)})`,
        location: error.location ?? `${file}:1`,
      },
    };
  }
}

/** What is no id becomes one: small letters, digits and single `-`. */
function idOf(name: string | undefined): string | undefined {
  if (name === undefined || NAME.test(name)) return name;
  const id = cutText(name, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
  return id === '' ? undefined : id;
}

function textsOf(value: Json): { values: Record<string, string>; isExact: boolean } | undefined {
  if (!isObject(value)) return { values: {}, isExact: false };
  const entries = Object.entries(value).slice(0, MOST_ENTRIES);
  return {
    values: Object.fromEntries(
      entries.map(([key, one]) => [key, cutText(typeof one === 'string' ? one : JSON.stringify(one), 1024)]),
    ),
    isExact: entries.every(([, one]) => typeof one === 'string'),
  };
}

/** `Bash(git add:*) Read` has two names; a list is taken, too. */
function toolsOf(value: Json | undefined): string[] | undefined {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').slice(0, MOST_ENTRIES);
  if (typeof value !== 'string') return undefined;
  return (cutText(value, 10_000).match(/(?:[^\s,()]|\([^()]*\)?|\))+/g) ?? []).slice(0, MOST_ENTRIES);
}

function invalid(finding: string, message: string, location: string): ToolcribError {
  return new ToolcribError('skill_invalid', message, { location, details: { finding } });
}
