import { ToolcribError } from '../errors.ts';
import type { ArmRequest } from '../executors/azure/connector-room.ts';
import { isObject, type Json } from '../operations/index.ts';
import { type ArmClient, armJson } from './arm-client.ts';
import type { ArmPurpose } from './arm-errors.ts';

const MAX_PAGES = 200;

/** All entries of a list of Azure Resource Manager, over all its pages. Throws ToolcribError. */
export async function listAll(
  client: ArmClient,
  request: ArmRequest,
  purpose: ArmPurpose,
  signal: AbortSignal,
  maxBytes?: number,
): Promise<Json[]> {
  const entries: Json[] = [];
  const followed = new Set<string>();
  let answer = await client.ask(request, purpose, signal, maxBytes === undefined ? {} : { maxBytes });
  for (;;) {
    const page = armJson(answer, purpose);
    if (!isObject(page) || !Array.isArray(page['value'])) {
      throw new ToolcribError('upstream_failed', `Azure's answer to "${purpose.what}" has no list in it.`);
    }
    entries.push(...page['value']);
    const { nextLink } = page;
    if (typeof nextLink !== 'string' || nextLink === '') return entries;
    if (followed.has(nextLink) || followed.size >= MAX_PAGES) {
      throw new ToolcribError('upstream_failed', `The pages of "${purpose.what}" come to no end.`);
    }
    followed.add(nextLink);
    answer = await client.follow(nextLink, purpose, signal, maxBytes);
  }
}
