import type { Store } from '../store/store.ts';
import type { ActivatedTools } from './activated-tools.ts';
import { memoryActivations } from './memory-activations.ts';
import { storeActivations } from './store-activations.ts';

/** Shared by all processes of a store; without one, of this process alone. */
export function createActivatedTools(store: Store | undefined, now: () => number = Date.now): ActivatedTools {
  return store === undefined ? memoryActivations(now) : storeActivations(store, now);
}
