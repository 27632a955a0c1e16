import type { ApprovalNeed } from '../../../approvals/policy.ts';
import { type Call, canonicalHash, type Operation } from '../../../operations/index.ts';

/** The hash of what a person agrees to beside the arguments. */
export type DefinitionOf = (call: Pick<Call, 'operation' | 'connection'>) => string;

/**
 * The whole operation as it is compiled, and the account and address that it goes to. Hashes of operations are kept as
 * long as the operations.
 */
export function createDefinitions(): DefinitionOf {
  const hashes = new WeakMap<Operation, string>();
  return ({ operation, connection }) => {
    const { account, configuredAccount, baseUrl, serverVariables, region, actingUser, upstream } =
      connection ?? {};
    let hash = hashes.get(operation);
    if (hash === undefined) {
      hash = canonicalHash(operation);
      hashes.set(operation, hash);
    }
    return canonicalHash({
      operation: hash,
      target: { account, configuredAccount, baseUrl, serverVariables, region, actingUser, upstream },
    });
  };
}

/** Where a skill is a reason to ask, a person also agrees to how it is isolated. */
export function definitionFor(
  definitionOf: DefinitionOf,
  call: Call,
  need: ApprovalNeed | undefined,
): string {
  const definition = definitionOf(call);
  if (need?.skill === undefined) return definition;
  return canonicalHash({ definition, isolated: need.skill.isolated });
}
