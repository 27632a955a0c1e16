import { ToolcribError } from '../../errors.ts';
import type { Json } from '../../operations/index.ts';
import type { ManagedApi } from '../managed-apis.ts';
import { answer, type OwnCall, type OwnTool, textArgument } from './own-tool.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** A few of the 1,500 APIs of a region, or all about one of them. */
export const listManagedApis: OwnTool = {
  async run(own) {
    const { args, room, signal } = own;
    const location = locationOf(own);
    const name = textArgument(args, 'name');
    if (name !== undefined) return answer(await room.managedApis.get(name, location, signal));
    const all = await room.managedApis.list(location, signal);
    const found = matching(all, textArgument(args, 'search') ?? '');
    const shown = found.slice(0, limitOf(args['limit']));
    const more = found.length - shown.length;
    return answer({
      location,
      total: all.length,
      matching: found.length,
      apis: shown as unknown as Json,
      ...(more === 0
        ? {}
        : { note: `${more} more: search by words, or raise limit (at most ${MAX_LIMIT}).` }),
    });
  },
  plan(own) {
    return { method: 'GET', path: own.room.managedApiPath(locationOf(own), textArgument(own.args, 'name')) };
  },
};

const locationOf = ({ args, room }: OwnCall) => textArgument(args, 'location') ?? room.settings.location;

/** All words somewhere; what has them in its name comes first. */
function matching(apis: readonly ManagedApi[], search: string): readonly ManagedApi[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const inName = (api: ManagedApi) => hasAll(`${api.name} ${api.displayName}`);
  const found = apis.filter((api) => hasAll(`${api.name} ${api.displayName} ${api.description}`));
  const ranked = words.length === 0 ? [found] : [found.filter(inName), found.filter((api) => !inName(api))];
  return ranked.flatMap((rank) => rank.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

function limitOf(limit: unknown): number {
  if (limit === undefined || limit === null) return DEFAULT_LIMIT;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return Math.min(limit, MAX_LIMIT);
  throw new ToolcribError('arguments_invalid', 'limit is a whole number above 0.', { pointer: '/limit' });
}
