import { createHash } from 'node:crypto';
import type { ActivatedTools } from '../../activation/index.ts';
import type { Principal } from '../../operations/index.ts';
import type { GatewayStore } from '../gateway-store.ts';
import { lazily } from '../lazily.ts';

/** Operations that principals found and keep listed; nothing is loaded before the store is opened or one is found. */
export interface FoundTools {
  readonly known: (principal: Principal) => readonly string[];
  activate(principal: Principal, operations: readonly string[], maxPerSource: number): Promise<boolean>;
  /** The skill that a conversation of this principal chose last. */
  chosenSkill(principal: Principal, conversation: string): string | undefined;
  /** Undefined: none any more. */
  chooseSkill(principal: Principal, conversation: string, skill: string | undefined): Promise<void>;
  /** Reads what earlier starts and other processes know. */
  open(): Promise<void>;
  close(): Promise<void>;
}

const NOTHING: readonly string[] = Object.freeze([]);

/**
 * A chosen skill is kept beside found operations, as the one operation of a source of its own: it is shared between
 * processes and forgotten when it is not used, as they are.
 */
function choiceOf(conversation: string): string {
  const digest = createHash('sha256').update(conversation).digest('hex').slice(0, 24);
  return `skill-of-${digest}/`;
}

export function createFoundTools(store: GatewayStore, changed: (principal: string) => void): FoundTools {
  let opened: ActivatedTools | undefined;
  const tools = lazily(async () => {
    const { createActivatedTools } = await import('../../activation/index.ts');
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
    chosenSkill({ id }, conversation) {
      const key = choiceOf(conversation);
      const choice = opened?.known(id).find((operation) => operation.startsWith(key));
      return choice === undefined || choice.length === key.length ? undefined : choice.slice(key.length);
    },
    async chooseSkill({ id }, conversation, skill = '') {
      await (await tools()).activate(id, [choiceOf(conversation) + skill], 1);
    },
    async open() {
      await tools();
    },
    async close() {
      await (await tools.made?.catch(() => undefined))?.close();
    },
  };
}
