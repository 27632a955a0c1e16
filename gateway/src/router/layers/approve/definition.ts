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
    const { account, baseUrl, serverVariables, region, actingUser } = connection ?? {};
    let hash = hashes.get(operation);
    if (hash === undefined) {
      hash = canonicalHash(operation);
      hashes.set(operation, hash);
    }
    return canonicalHash({
      operation: hash,
      target: { account, baseUrl, serverVariables, region, actingUser },
    });
  };
}
