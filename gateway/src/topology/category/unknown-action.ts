import { ToolcribError } from '../../errors.ts';
import type { VisibleOperation } from '../../operations/index.ts';
import { nearestName } from '../../operations/text/nearest-name.ts';
import { wordsOf } from '../../operations/text/words.ts';
import type { OperationSet } from '../topology.ts';

const NEAREST = 5;
/** Hits of the whole set, those of other tools among them. */
const LOOKED_AT = 50;
const LONGEST_NAME = 200;

interface Known {
  readonly actions: ReadonlyMap<string, VisibleOperation>;
  readonly set: OperationSet;
  readonly signal: AbortSignal;
}

/** The actions that an unknown one most likely means: the operation of that name, else by its words. */
export async function unknownAction(
  tool: string,
  action: unknown,
  { actions, set, signal }: Known,
): Promise<ToolcribError | undefined> {
  if (typeof action !== 'string' || actions.has(action)) return undefined;
  const wanted = action.slice(0, LONGEST_NAME);
  const names = new Map([...actions].map(([name, { operation }]) => [operation, name]));
  const same = set.find(wanted);
  const spelled = nearestName(wanted, [...actions.keys()]);
  const text = wordsOf(wanted).join(' ');
  const hits = text === '' ? [] : await set.search({ text, limit: LOOKED_AT }, signal);
  const meant = [same, ...hits.map(({ operation }) => operation)].map(
    (one) => one && names.get(one.operation),
  );
  const [exact, ...others] = meant;
  const nearest = [...new Set([exact, spelled, ...others])].filter((name) => name !== undefined);
  const named = nearest.slice(0, NEAREST).map((name) => JSON.stringify(name));
  const hint = named.length === 0 ? ' Its description lists them.' : ` Nearest: ${named.join(', ')}.`;
  return new ToolcribError('arguments_invalid', `${tool} has no action ${JSON.stringify(wanted)}.${hint}`, {
    pointer: '/action',
  });
}
