import type { RawResult } from '../executors/executor.ts';
import type { CompletedResult, ContentBlock } from '../operations/index.ts';
import { type ShapeContext, shapeText } from './answer-content.ts';

/** What a function returned: its content as it is, long texts cut; a bare value as JSON text. */
export async function valueResult(
  raw: Extract<RawResult, { kind: 'value' }>,
  context: ShapeContext,
): Promise<CompletedResult> {
  const content: ContentBlock[] = [];
  const warnings: string[] = [];
  for (const block of raw.content ?? bareContent(raw)) {
    if (block.type !== 'text' || block.text.length <= context.limits.maxTextLength) {
      content.push(block);
      continue;
    }
    const shaped = await shapeText(
      block.text,
      { bytes: () => Buffer.from(block.text), mimeType: 'text/plain' },
      context,
    );
    content.push(...shaped.content);
    warnings.push(...shaped.warnings);
  }
  return {
    kind: 'completed',
    content,
    ...(raw.structured === undefined ? {} : { structured: raw.structured }),
    ...(raw.failed
      ? { error: { code: 'tool_failed' as const, message: firstText(content) ?? 'The tool failed.' } }
      : {}),
    ...(raw.meta === undefined ? {} : { meta: raw.meta }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function bareContent({ structured, failed }: Extract<RawResult, { kind: 'value' }>): readonly ContentBlock[] {
  if (structured !== undefined) return [{ type: 'text', text: JSON.stringify(structured) }];
  return [{ type: 'text', text: failed ? 'The tool failed.' : 'Done.' }];
}

function firstText(content: readonly ContentBlock[]): string | undefined {
  return content.find((block) => block.type === 'text')?.text;
}
