import type { ShapedCall } from '../../operations/index.ts';
import type { ShapedOutput } from './shaped-output.ts';
import type { ShapingContext } from './shaping-context.ts';
import { spelled } from './spelling.ts';

/** Counts are of what was read. */
export function beyondPage({ nextCursor }: ShapingContext): string {
  return nextCursor === undefined ? '' : ' The service has more than were read.';
}

/** For models: how to get at the rows that are not shown. */
export function howToGoOn(
  shaped: ShapedCall,
  responseId: string | undefined,
  cursor: string | undefined,
): string {
  const ways = [
    ...(cursor === undefined ? [] : [`call again with ${spelled('cursor', shaped)} = next_cursor`]),
    ...(responseId === undefined
      ? []
      : ['ask by response_id (query_result, or the call tool) with filters, fields, limit']),
  ];
  return ways.length === 0
    ? ' Ask for fewer with filters and fields.'
    : ` For the rest ${ways.join(', or ')}.`;
}

/** The same for programs. */
export function pointers(
  responseId: string | undefined,
  cursor: string | undefined,
): Pick<ShapedOutput, 'response_id' | 'next_cursor'> {
  return {
    ...(responseId === undefined ? {} : { response_id: responseId }),
    ...(cursor === undefined ? {} : { next_cursor: cursor }),
  };
}
