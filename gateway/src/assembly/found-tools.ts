import type { ActivatedTools } from '../activation/index.ts';
import type { Principal } from '../operations/index.ts';
import type { GatewayStore } from './gateway-store.ts';
import { once } from './once.ts';

/** Operations that principals found and keep listed; nothing is loaded before the store is opened or one is found. */
export interface FoundTools {
  readonly known: (principal: Principal) => readonly string[];
  activate(principal: Principal, operations: readonly string[], maxPerSource: number): Promise<boolean>;
  /** Reads what earlier starts and other processes know. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const NOTHING: readonly string[] = Object.freeze([]);

export function createFoundTools(store: GatewayStore, changed: () => void): FoundTools {
  let opened: ActivatedTools | undefined;
  const tools = once(async () => {
    const { createActivatedTools } = await import('../activation/index.ts');
    const activated = createActivatedTools(await store.open());
    opened = activated;
    activated.onChange(changed);
    await activated.open();
    return activated;
  });
  return {
    known: ({ id }) => opened?.known(id) ?? NOTHING,
    activate: async ({ id }, operations, maxPerSource) =>
      (await tools()).activate(id, operations, maxPerSource),
    async open() {
      await tools();
    },
    async close() {
      await (await tools.made?.catch(() => undefined))?.close();
    },
  };
}
