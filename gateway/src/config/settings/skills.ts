import { DEFAULT_SKILL_POLICY, type SkillPolicy, type SkillSettings } from '../../operations/index.ts';
import type { Configuration, SourceConfiguration } from '../configuration.ts';
import { absolutePath, type Environment } from '../directories.ts';
import { milliseconds } from '../measures.ts';
import type { ConfigurationFile } from '../schema/configuration-file.ts';
import type { SkillsEntry } from '../schema/skills.ts';
import { type SecretContext, withAbsoluteFile } from '../secrets.ts';

/** Where skills are looked for, lowest precedence first; relative to the configuration. */
export const DEFAULT_SKILL_ROOTS: readonly string[] = ['teacher_skills', 'skills', '~/.claude/skills'];

/** One entry with defaults filled in and its folders made absolute. */
export function skillSettings(entry: SkillsEntry, context: SecretContext): SkillSettings {
  const { roots = DEFAULT_SKILL_ROOTS, secrets = {} } =
    typeof entry === 'string' ? { roots: [entry] } : 'length' in entry ? { roots: entry } : entry;
  const absolute = roots.map((root) => absolutePath(root, context.baseDirectory, context.env));
  return {
    roots: [...new Set(absolute)],
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([name, { value, skills, origins }]) => [
        name,
        {
          value: withAbsoluteFile(value, context),
          skills,
          ...(origins === undefined ? {} : { origins: origins.map((url) => new URL(url).origin) }),
        },
      ]),
    ),
  };
}

/** Undefined for a source of another kind. */
export function skillsOf({ kind, settings }: SourceConfiguration): SkillSettings | undefined {
  return kind === 'skills' ? (settings as SkillSettings) : undefined;
}

const NAMES = new WeakMap<Configuration, readonly string[]>();

/** Names of the sources of skills, the one that imports go to first. Asked for at every call, so kept for each configuration. */
export function skillSources(configuration: Configuration): readonly string[] {
  let names = NAMES.get(configuration);
  if (names === undefined) {
    const { sources } = configuration;
    names = Object.keys(sources).filter((name) => skillsOf(sources[name]!) !== undefined);
    NAMES.set(configuration, names);
  }
  return names;
}

/** How skills are governed now; the defaults where the configuration says nothing. */
export function skillPolicyOf({ policy }: Pick<Configuration, 'policy'>): SkillPolicy {
  return policy.skills ?? DEFAULT_SKILL_POLICY;
}

/** `policy.skills`; production and the environment's switch fill in what it leaves open. */
export function skillPolicy({ policy, environment }: ConfigurationFile, env: Environment): SkillPolicy {
  const { coolDown, roles: named, ...given } = policy?.skills ?? {};
  const isProduction = environment === 'production';
  const roles = named ?? (isProduction ? ['teacher'] : undefined);
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    ...DEFAULT_SKILL_POLICY,
    enabled: isSwitchedOn(env['DYNAMIC_SKILL_TOOLS_ENABLED']),
    visible: isProduction ? 'selected' : DEFAULT_SKILL_POLICY.visible,
    ...(stated as Partial<SkillPolicy>),
    ...(roles === undefined ? {} : { roles }),
    ...(coolDown === undefined ? {} : { coolDownMs: milliseconds(coolDown) }),
  };
}

/** On unless somebody says no. */
function isSwitchedOn(flag: string | undefined): boolean {
  return flag === undefined || !/^(?:0|false)$/i.test(flag.trim());
}
