import type { Intent, OperationFacts } from '../../operations/index.ts';
import { fitsIntent } from '../../operations/intent.ts';

/** What a list is narrowed to, beside words. */
export interface ListFilter {
  readonly intent?: Intent;
  readonly method?: string;
  readonly source?: string;
}

export const INTENTS: readonly Intent[] = ['read', 'write', 'create', 'update', 'delete', 'manage', 'all'];

export function passesFilter(facts: OperationFacts, { intent, method, source }: ListFilter): boolean {
  if (source !== undefined && facts.source !== source) return false;
  if (method !== undefined && facts.http?.method.toUpperCase() !== method.toUpperCase()) return false;
  return intent === undefined || fitsIntent(facts, intent);
}
