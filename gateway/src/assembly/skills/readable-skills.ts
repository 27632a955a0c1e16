import type { GrantSource, Principal } from '../../operations/index.ts';
import { readableSources } from '../access/readable-sources.ts';
import type { SkillOfSource, SkillRooms } from './skill-rooms.ts';

/** Skills as they lie there now, of the sources that a principal may read now. */
export async function readableSkills(
  rooms: Pick<SkillRooms, 'freshen' | 'list'>,
  grants: Pick<GrantSource, 'fresh'>,
  principal: Principal,
): Promise<readonly SkillOfSource[]> {
  await rooms.freshen();
  const readable = readableSources(await grants.fresh(principal));
  return rooms.list().filter(({ source }) => readable(source));
}
