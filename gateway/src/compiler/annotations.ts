import type { Operation, ToolAnnotations } from '../operations/index.ts';

/** MCP tool annotations from access and safety profile; they are hints, the router decides. */
export function annotationsOf(operation: Operation): ToolAnnotations {
  const readOnly = operation.access === 'read';
  const { destructive, destructiveUnknown, idempotent, openWorld } = operation.safety;
  const hints = {
    readOnlyHint: readOnly,
    ...(!readOnly && destructiveUnknown ? {} : { destructiveHint: !readOnly && destructive }),
    idempotentHint: readOnly || idempotent,
    openWorldHint: openWorld,
  };
  return operation.title === undefined ? hints : { title: operation.title, ...hints };
}
