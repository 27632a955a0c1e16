import { checkArguments } from '../router/layers/validate-arguments.ts';
import type { ReachingTool } from '../router/router.ts';
import type { GenericTool } from '../topology/generic/generic-tools.ts';
import type { Validator } from '../validation/validator.ts';

/** A generic tool for the router: its own arguments are checked before they become an operation's. */
export function reachingTool(tool: GenericTool, validator: Validator): ReachingTool {
  return {
    name: tool.name,
    operation: tool.first(),
    async resolve(args) {
      await validator.ready();
      checkArguments(validator, tool.tool.inputSchema, args, tool.name);
      return tool.resolve(args);
    },
  };
}
