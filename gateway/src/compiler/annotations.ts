import type { Operation, ToolAnnotations } from '../operations/index.ts';

/** MCP tool annotations from access and safety profile; they are hints, the router decides. */
export function annotationsOf(operation: Operation): ToolAnnotations {
  const readOnly = operation.access === 'read';
  const hints = {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && operation.safety.destructive,
    idempotentHint: readOnly || operation.safety.idempotent,
    openWorldHint: operation.safety.openWorld,
  };
  return operation.title === undefined ? hints : { title: operation.title, ...hints };
}
