import { createSecretReader, type SecretReader } from '../credentials/secret-reference.ts';
import { createEgress, type Egress } from '../egress/index.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';

/** What every provider over HTTP works with; absent members are made for programs that use a provider alone. */
export interface ProviderParts {
  /** Must let the provider's base URL through, where that is no public address. */
  readonly egress?: Egress;
  /** Default: reads the process's environment. */
  readonly secrets?: SecretReader;
}

export interface ProviderDoor {
  readonly egress: Egress;
  readonly secrets: SecretReader;
  /** Closes what was opened here. */
  close(): Promise<void>;
}

/** The door that was given, or one of its own that lets the named base URL through. */
export function providerDoor({ egress, secrets }: ProviderParts, baseUrl: string): ProviderDoor {
  const own = egress === undefined ? createEgress({ allow: [new URL(baseUrl).origin] }) : undefined;
  return {
    egress: egress ?? own!,
    secrets: secrets ?? createSecretReader(process.env, () => undefined),
    close: async () => own?.close(),
  };
}

/** A base URL without a slash at its end, so that paths can be appended. */
export function trimmedBase(baseUrl: string): string {
  return trimEndOf(baseUrl, '/');
}
