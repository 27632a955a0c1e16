import type { OperationFacts } from './operation.ts';
import { wordsOf } from './text/words.ts';
import type { Intent } from './topology.ts';

/** Words of an operation's id: other ones than those of a question (`wanted-effect.ts`), where an issue is a thing. */
const CREATING: ReadonlySet<string> = new Set(
  'create add new insert generate register upload import submit send post open copy clone invite issue'.split(
    ' ',
  ),
);
const UPDATING: ReadonlySet<string> = new Set(
  'update edit change set modify put patch replace rename move enable disable start stop restart resume assign'.split(
    ' ',
  ),
);

/**
 * Whether an operation does what somebody wants to do. Access decides; what creates and what updates among the
 * writing ones, the verbs of its id decide, then the HTTP method. `manage`: whatever changes something.
 */
export function fitsIntent({ id, access, http }: OperationFacts, intent: Intent): boolean {
  switch (intent) {
    case 'all':
      return true;
    case 'read':
      return access === 'read';
    case 'delete':
      return access === 'delete';
    case 'write':
      return access === 'write';
    case 'manage':
      return access !== 'read';
    case 'create':
      return access === 'write' && kindOfWrite(id, http?.method) !== 'update';
    case 'update':
      return access === 'write' && kindOfWrite(id, http?.method) !== 'create';
  }
}

/** By its verbs, else by its method; undefined: it may be either. */
function kindOfWrite(id: string, method: string | undefined): 'create' | 'update' | undefined {
  const words = wordsOf(id);
  const creates = words.some((word) => CREATING.has(word));
  const updates = words.some((word) => UPDATING.has(word));
  if (creates && updates) return undefined;
  if (creates || updates) return creates ? 'create' : 'update';
  return method === 'PUT' || method === 'PATCH' ? 'update' : undefined;
}
