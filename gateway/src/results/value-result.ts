import type { RawResult } from '../executors/executor.ts';
import type { CompletedResult, ContentBlock } from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { cutNote, keepWhole, type ShapeContext } from './answer-content.ts';

/** What a function or a server returned: its content as it is, long texts cut; a bare value as JSON text. */
export async function valueResult(
  raw: Extract<RawResult, { kind: 'value' }>,
  context: ShapeContext,
): Promise<CompletedResult> {
  const { content, warnings: cuts } = await withinLimit(raw.content ?? bareContent(raw), context);
  const { warnings: told = [] } = raw;
  const warnings = [...told, ...cuts];
  return {
    kind: 'completed',
    content: [...content, ...told.map((warning) => ({ type: 'text' as const, text: `Note: ${warning}` }))],
    ...(raw.structured === undefined ? {} : { structured: raw.structured }),
    ...(raw.failed
      ? {
          error: raw.error ?? {
            code: 'tool_failed' as const,
            message: firstText(content) ?? 'The tool failed.',
          },
        }
      : {}),
    ...(raw.meta === undefined ? {} : { meta: raw.meta }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** All texts together within `maxTextLength`: many blocks are no way around it. What is cut is kept as one artifact. */
async function withinLimit(
  blocks: readonly ContentBlock[],
  context: ShapeContext,
): Promise<{ readonly content: readonly ContentBlock[]; readonly warnings: readonly string[] }> {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const total = texts.reduce((sum, { length }) => sum + length, 0);
  let left = context.limits.maxTextLength;
  if (total <= left) return { content: blocks, warnings: [] };
  const whole = texts.join('\n\n');
  const kept = await keepWhole({ bytes: () => Buffer.from(whole), mimeType: 'text/plain' }, context);
  const content: ContentBlock[] = [];
  const warnings: string[] = [];
  let shownLength = 0;
  for (const block of blocks) {
    if (block.type !== 'text') content.push(block);
    else if (warnings.length > 0) continue;
    else if (block.text.length <= left) {
      content.push(block);
      left -= block.text.length;
      shownLength += block.text.length;
    } else {
      const text = cutText(block.text, left);
      if (text !== '') content.push({ ...block, text });
      const note = cutNote(total - shownLength - text.length, total, kept);
      warnings.push(note);
      content.push({ type: 'text', text: `Note: ${note}` });
      if (kept.link) content.push(kept.link);
    }
  }
  return { content, warnings };
}

function bareContent({ structured, failed }: Extract<RawResult, { kind: 'value' }>): readonly ContentBlock[] {
  if (structured !== undefined) return [{ type: 'text', text: JSON.stringify(structured) }];
  return [{ type: 'text', text: failed ? 'The tool failed.' : 'Done.' }];
}

function firstText(content: readonly ContentBlock[]): string | undefined {
  return content.find((block) => block.type === 'text')?.text;
}
