import type { Configuration } from '../../config/configuration.ts';
import { skillPolicyOf } from '../../config/settings/skills.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Executor } from '../../executors/executor.ts';
import type { SkillParts, SkillSecrets } from '../../executors/skill/skill-parts.ts';
import type { View } from '../../gateway-core.ts';
import type { EventBody, Principal, SkillSettings } from '../../operations/index.ts';
import { matchesTextGlob } from '../../operations/text/text-glob.ts';
import type { SkillRoom } from '../../skills/room.ts';
import type { ReadSecret } from '../compiling/source-reader.ts';
import { isToolOfSkill } from './tool-of-skill.ts';

export interface SkillExecutorParts {
  readonly configuration: () => Configuration;
  readonly egress: Egress;
  readonly readSecret: ReadSecret;
  readonly record: (event: EventBody) => void;
  readonly report: (error: unknown, what: string) => void;
  readonly room: (source: string) => Promise<SkillRoom>;
  readonly settings: (source: string) => SkillSettings | undefined;
  readonly view: (principal: Principal) => Pick<View, 'tools'>;
  /** Tools of this source began or ended to pause: lists say so. */
  readonly paused: (source: string) => Promise<void>;
}

export interface OpenSkillExecutors {
  readonly executor: Executor;
  /** @param versions of the source's skills as they are now, by id */
  marks(source: string, versions: ReadonlyMap<string, string>): Readonly<Record<string, string>> | undefined;
}

/** Names of tools that an error mentions. */
const MOST_NAMED = 8;

/** What carries out tools of skills: attempts by kind, one policy of retries around both. */
export async function openSkillExecutors(parts: SkillExecutorParts): Promise<OpenSkillExecutors> {
  const [skill, scripts, templates] = await Promise.all([
    import('../../executors/skill/index.ts'),
    import('../../executors/script/index.ts'),
    import('../../executors/template/index.ts'),
  ]);
  const policy = () => skillPolicyOf(parts.configuration());
  const shared: SkillParts = {
    packages: {
      open: async (source, id, version) => (await parts.room(source)).open(id, version),
    },
    secrets: skillSecrets(parts),
    policy,
    note: parts.record,
    remaining({ principal, tool }) {
      const { tools } = parts.view(principal);
      const others = [...tools.filter((one) => !isToolOfSkill(one)), ...tools.filter(isToolOfSkill)]
        .map(({ name }) => name)
        .filter((name) => name !== tool);
      return { count: others.length, names: others.slice(0, MOST_NAMED) };
    },
  };
  const degraded = skill.createDegradedTools({
    policy,
    changed: (source) =>
      void parts
        .paused(source)
        .catch((error) => parts.report(error, `Source ${source} could not be marked.`)),
  });
  return {
    executor: skill.createSkillExecutor(shared, {
      degraded,
      attempts: {
        script: scripts.createScriptAttempt(shared),
        template: templates.createTemplateAttempt({ ...shared, egress: parts.egress }),
      },
      ready: {
        script: scripts.createScriptReady(shared),
        template: templates.createTemplateReady(shared),
      },
    }),
    marks(source, versions) {
      for (const [id, version] of versions) degraded.keepOnly(source, id, version);
      return degraded.marks(source);
    },
  };
}

/** Values of `{{secrets.NAME}}`, for those skills and origins that the configuration names. */
function skillSecrets({
  settings,
  readSecret,
}: Pick<SkillExecutorParts, 'settings' | 'readSecret'>): SkillSecrets {
  return {
    async read(source, skill, name, origin, signal) {
      const secrets = settings(source)?.secrets ?? {};
      const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      const place = `sources.${source}.skills.secrets.${name}`;
      if (secret === undefined)
        throw new ToolcribError(
          'credentials_missing',
          `The skill ${skill} needs the secret ${name}: ${place} is not configured.`,
          {
            next: `Add ${place} with value, skills${origin === undefined ? '' : ' and origins'} to the configuration.`,
          },
        );
      if (!secret.skills.some((glob) => matchesTextGlob(skill, glob)))
        throw new ToolcribError('skill_forbidden', `The skill ${skill} may not use the secret ${name}.`, {
          next: `Add it to ${place}.skills, if you trust it with the secret.`,
        });
      if (origin !== undefined && secret.origins?.includes(origin) !== true)
        throw new ToolcribError('skill_forbidden', `The secret ${name} is not for ${origin}.`, {
          next: `Add the origin to ${place}.origins, if the secret belongs there.`,
        });
      return readSecret(secret.value, place, signal);
    },
  };
}
