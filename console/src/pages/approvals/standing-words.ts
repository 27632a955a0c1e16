import type { Approval } from '../../../../gateway/src/operations/index.ts';

type Asked = Pick<Approval, 'standing' | 'tool' | 'principal' | 'skill'>;

/** Exactly what an approval from then on would cover; undefined where there is no such thing. */
export function alwaysCovers({ standing, tool, principal }: Asked): string | undefined {
  const who = `calls of ${tool} by ${principal}`;
  switch (standing) {
    case 'tool':
      return `All later ${who} then run without asking, whatever their arguments, until the tool’s definition changes or you revoke it.`;
    case 'arguments':
      return `Later ${who} with exactly these arguments then run without asking, until the tool’s definition changes or you revoke it. Any other arguments ask again.`;
    default:
      return undefined;
  }
}

/** What a plain approval covers beside the call itself; undefined: nothing. */
export function approveCovers({ standing, skill, principal }: Asked): string | undefined {
  if (standing !== 'skill' || skill === undefined) return undefined;
  const { length } = skill.tools;
  return `Approving agrees to the skill ${skill.skill} in this version: its ${length === 1 ? 'tool' : `${length} tools`} then run for ${principal} without asking, until a file of the skill changes or you revoke it.`;
}

/** Why there is no “always”. */
export function whyNotAlways({ standing }: Asked): string | undefined {
  return standing === 'never'
    ? 'Each call of this tool asks: it counted as dangerous until the configuration enabled it.'
    : undefined;
}
