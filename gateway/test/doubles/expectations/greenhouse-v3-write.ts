import type { DocumentedOperation } from '../operation-table.ts';

export const CUSTOM_FIELDS = [{ custom_field_id: 7, value: 'Blue' }];
type Body = Readonly<Record<string, unknown>>;
type Closed = Pick<DocumentedOperation, 'dangerous' | 'blocklisted'>;

export const DANGEROUS: Closed = { dangerous: true };
export const BLOCKLISTED: Closed = { blocklisted: true };
export const BOTH: Closed = { dangerous: true, blocklisted: true };

/**
 * A write. Who acts is in the token: the service would take one without, but then nobody could tell who did it.
 * `body`: members of the sample; `required`: what the service insists on.
 */
export function write(
  route: string,
  body?: Body,
  required: readonly string[] = [],
  closed?: Closed,
): DocumentedOperation {
  return {
    route,
    actingUser: 'required',
    required,
    ...(route.includes('{id}') ? { path: { id: route.includes('/candidates/') ? 53883394 : 69306314 } } : {}),
    ...(body === undefined ? {} : { body }),
    ...closed,
  };
}

export const remove = (path: string, closed?: Closed) => write(`DELETE ${path}/{id}`, undefined, [], closed);
export const act = (path: string, body?: Body, required?: readonly string[]) =>
  write(`POST ${path}`, body, required);
