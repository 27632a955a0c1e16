import type { Intent, OperationFacts } from '../../operations/index.ts';
import { wordsOf } from './nearest-operations.ts';

/** What a list is narrowed to, beside words. */
export interface ListFilter {
  readonly intent?: Intent;
  readonly method?: string;
  readonly source?: string;
}

export const INTENTS: readonly Intent[] = ['read', 'write', 'create', 'update', 'delete', 'manage', 'all'];

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

export function passesFilter(facts: OperationFacts, { intent, method, source }: ListFilter): boolean {
  if (source !== undefined && facts.source !== source) return false;
  if (method !== undefined && facts.http?.method.toUpperCase() !== method.toUpperCase()) return false;
  return intent === undefined || fitsIntent(facts, intent);
}

/** By access, as a search judges it; what a write creates or updates is told by method and words, else it fits both. */
function fitsIntent(facts: OperationFacts, intent: Intent): boolean {
  const { access } = facts;
  if (intent === 'all') return true;
  if (intent === 'manage') return access !== 'read';
  if (intent === 'read' || intent === 'write' || intent === 'delete') return access === intent;
  const kind = kindOfWrite(facts);
  return access === 'write' && (kind === undefined || kind === intent);
}

function kindOfWrite({ id, http }: OperationFacts): 'create' | 'update' | undefined {
  const method = http?.method.toUpperCase();
  if (method === 'PUT' || method === 'PATCH') return 'update';
  const words = wordsOf(id);
  const creates = words.some((word) => CREATING.has(word));
  const updates = words.some((word) => UPDATING.has(word));
  if (creates === updates) return undefined;
  return creates ? 'create' : 'update';
}
