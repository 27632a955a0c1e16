import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { WRITTEN } from '../../api/written.ts';
import { useLeaveWarning } from '../../components/forms/use-leave-warning.ts';

/** Found again for so long by whoever was on another page, milliseconds. */
const KEPT_MS = 3_600_000;

/** Of what is written on a card. */
export const draftsOf = (id: string) => ['drafts', id] as const;

/**
 * What is written on a card, and not sent. In the memory of this tab alone, gone once it counts or somebody else signs
 * in: any text may be a secret, so that the browser asks before it is lost, and stores none of it.
 */
export function useDraft(id: string, what: 'edit' | 'reject', start: string) {
  const client = useQueryClient();
  const queryKey = [...draftsOf(id), what];
  useQuery({ queryKey, queryFn: skipToken, gcTime: KEPT_MS, ...WRITTEN });
  // a state beside it: what is typed must stand in its field at once
  const [text, setText] = useState(() => client.getQueryData<string>(queryKey) ?? start);
  useLeaveWarning(text !== start);
  const write = (next: string) => {
    client.setQueryData(queryKey, next);
    setText(next);
  };
  const drop = () => client.removeQueries({ queryKey });
  return [text, write, drop] as const;
}
