import { ToolcribError } from '../../errors.ts';
import type { Binding, Connection, Operation } from '../../operations/index.ts';

/** Throws `acting_user_missing` where the caller is not mapped to a user of the provider. */
export function assertActingUser({ id }: Operation, { provider, source, actingUser }: Connection): void {
  if (actingUser !== undefined && actingUser !== '') return;
  const name = provider ?? source;
  throw new ToolcribError(
    'acting_user_missing',
    `${name} wants to know who acts in ${id}, but the caller is mapped to no user of ${name}; nothing was sent. Map the caller with \`toolcrib admin connection map\`, or set \`actingUser\` of source ${source} where everybody acts as one.`,
    { details: { provider: name, operation: id } },
  );
}

/** What the gateway knows of the caller as a constant; undefined: it is not known, and nothing is sent. */
export function withActingUser(binding: Binding, { actingUser }: Connection): Binding | undefined {
  if (actingUser === undefined || actingUser === '') return undefined;
  const { inject: _inject, ...rest } = binding;
  return { ...rest, const: actingUser } as Binding;
}
