import { ToolcribError } from '../../errors.ts';
import type { Grants, Principal } from '../../operations/index.ts';
import { isTold, type Teller } from '../../policy/told-entries.ts';
import { isListed } from '../../policy/visibility.ts';
import type { OperationsPage, OperationsQuery } from '../../server/http/admin/access-administration.ts';
import type { AccessContext } from './access-context.ts';
import { createExplaining } from './explained.ts';
import { neverCallable } from './never-callable.ts';
import { paged } from './paged.ts';
import { eachGrants } from './people-grants.ts';

/** A page of operations with every factor for one person. Throws `record_unknown`, `record_invalid`, `not_found`. */
export async function explainedOperations(
  context: AccessContext,
  by: Principal,
  query: OperationsQuery,
): Promise<OperationsPage> {
  const { current } = context.catalog;
  const { own, teller } = await subject(context, by, query);
  const wanted = query.q?.toLowerCase();
  const entries = current.entries.filter(
    (entry) =>
      (query.source === undefined || query.source === entry.source) &&
      (wanted === undefined || `${entry.name}\n${entry.facts.id}`.toLowerCase().includes(wanted)) &&
      (query.show === 'all' || isListed(entry, own) === (query.show === 'visible')) &&
      isTold(entry, own, teller),
  );
  const { page, ...next } = paged(entries, ({ name }) => name, query);
  const first = query.cursor === undefined && query.show !== 'visible';
  return {
    principal: own.principal.id,
    operations: page.map(createExplaining(context, current, own)),
    total: entries.length,
    ...next,
    ...(first && teller === 'operator' ? { never: neverCallable(current, query) } : {}),
  };
}

/** Whose operations are asked for, and how much of them the one who asks learns. */
async function subject(
  context: AccessContext,
  by: Principal,
  { organisation, user, source }: OperationsQuery,
): Promise<{ readonly own: Grants; readonly teller: Teller }> {
  const { directory, grants } = context;
  if (directory === undefined && organisation === undefined && (user ?? by.id) === by.id) {
    return { own: await grants.fresh(by, source), teller: 'operator' };
  }
  const id = user ?? (by.kind === 'user' ? by.id : undefined);
  const records = context.records();
  if (id === undefined) {
    throw new ToolcribError('record_invalid', 'Name the user whose operations are asked for.', {
      pointer: '/user',
    });
  }
  const principal = await directory?.users.principal(by, id);
  const access = await records.read(by, { organisation: organisation ?? principal?.organisation });
  const person = access.people.find((one) => one.id === id);
  if (person === undefined) throw new ToolcribError('record_unknown', `There is no user "${id}".`);
  const [found] = await eachGrants(access, [person], context.grantsOf(access), source);
  const teller = by.kind !== 'user' ? 'operator' : access.manages ? 'admin' : 'user';
  return { own: found![1], teller };
}
