import { standInsOf } from '../../approvals/index.ts';
import type { CatalogEntry } from '../../catalog/catalog.ts';
import { ToolcribError } from '../../errors.ts';
import type { Approval, JsonObject } from '../../operations/index.ts';
import { PROXY_TOOL } from '../../proxy/proxy-types.ts';
import { checkOperation } from '../../router/layers/validate-arguments.ts';
import type { Validator } from '../../validation/validator.ts';

/**
 * Whether a call could run with these arguments instead of its own. Throws `arguments_invalid`.
 * @param entry what it calls, where that is known here; what is not known is checked with the call
 */
export function checkEdit(
  validator: Validator,
  entry: CatalogEntry | undefined,
  { tool, preview }: Approval,
  args: JsonObject,
): void {
  if (tool === PROXY_TOOL) {
    throw new ToolcribError(
      'arguments_invalid',
      'A proxied request was judged as it came: approve or reject it, and have another one sent.',
    );
  }
  // what was left as shown is checked with the call, whose arguments are known then
  if (entry !== undefined) checkOperation(validator, entry.load(), args, tool, standInsOf(preview, args));
}
