import type { GrantSource, Principal } from '../../operations/index.ts';
import { readableSources } from '../access/readable-sources.ts';
import type { SkillOfSource, SkillRooms } from './skill-rooms.ts';
import type { Selections } from './skill-selection.ts';

/** Skills as they lie there now: those that a principal may have, of the sources that it may read now. */
export async function readableSkills(
  rooms: Pick<SkillRooms, 'freshen' | 'list'>,
  grants: Pick<GrantSource, 'fresh'>,
  mayRead: Selections['mayRead'],
  principal: Principal,
): Promise<readonly SkillOfSource[]> {
  await rooms.freshen();
  const held = await grants.fresh(principal);
  const [isReadable, isFor] = [readableSources(held), mayRead(held)];
  return rooms.list().filter(({ source, id }) => isReadable(source) && isFor(id));
}
