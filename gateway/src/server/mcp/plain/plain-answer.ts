import {
  type CallToolResult,
  type Implementation,
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';

/** Metadata that the SDK's schemas look into. */
const READ_BY_SDK: ReadonlySet<string> = new Set([
  'progressToken',
  RELATED_TASK_META_KEY,
  SERVER_INFO_META_KEY,
  '__proto__',
]);

/**
 * The JSON of a tool result as the SDK writes it; undefined when its schemas would check or change something:
 * anything but plain text blocks, structured content that is no plain object, members of another kind.
 * `server` stands in every result since 2026-07-28.
 */
export function plainAnswer(
  { _meta, content, structuredContent, isError, ...rest }: CallToolResult,
  server: Implementation | undefined,
): string | undefined {
  for (const _other in rest) return undefined;
  if (!content.every(isPlainText)) return undefined;
  if (structuredContent !== undefined && !isPlainObject(structuredContent)) return undefined;
  if (_meta !== undefined && !isPlainMeta(_meta)) return undefined;
  if (server === undefined) return JSON.stringify({ _meta, content, structuredContent, isError });
  const stamped = { ..._meta, [SERVER_INFO_META_KEY]: server };
  const complete = { content, structuredContent, isError, resultType: 'complete' };
  return JSON.stringify(
    _meta === undefined ? { ...complete, _meta: stamped } : { _meta: stamped, ...complete },
  );
}

function isPlainText(block: object): boolean {
  for (const member in block) if (member !== 'type' && member !== 'text') return false;
  const { type, text } = block as { type?: unknown; text?: unknown };
  return type === 'text' && typeof text === 'string';
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, '__proto__')) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isPlainMeta(meta: unknown): boolean {
  return isPlainObject(meta) && !Object.keys(meta).some((member) => READ_BY_SDK.has(member));
}
