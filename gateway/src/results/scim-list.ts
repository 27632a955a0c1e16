import { isObject, type Json } from '../operations/index.ts';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A list of SCIM, which says so itself (RFC 7644 §3.4.2): its rows are `Resources`, and the first of them is number 1. */
export function isScimList(answer: Json | undefined): boolean {
  const schemas = isObject(answer) ? answer['schemas'] : undefined;
  return Array.isArray(schemas) && schemas.includes(LIST);
}
