import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { WRITTEN } from '../../api/written.ts';
import { useLeaveWarning } from '../../components/forms/use-leave-warning.ts';

/** Found again for so long by whoever was on another page, milliseconds. */
const KEPT_MS = 3_600_000;

/** Of what is written on a card. */
export const draftsOf = (id: string) => ['drafts', id] as const;

type What = 'edit' | 'reject';

/**
 * What is written on a card, and not sent. In the memory of this tab alone, gone once it counts or somebody else signs
 * in: any text may be a secret, so that the browser asks before it is lost, and stores none of it.
 */
export function useDraft(id: string, what: What, start: string) {
  const client = useQueryClient();
  const queryKey = keyOf(id, what);
  useKept(id, what);
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

/** What is left of it where the card ended otherwise, and the way to drop it. */
export function useUnsent(id: string) {
  const client = useQueryClient();
  const texts = [useKept(id, 'reject'), useKept(id, 'edit')].filter(({ text }) => text.trim() !== '');
  const drop = () => client.resetQueries({ queryKey: draftsOf(id) });
  return [texts, drop] as const;
}

function useKept(id: string, what: What) {
  const queryKey = keyOf(id, what);
  const { data = '' } = useQuery<string>({ queryKey, queryFn: skipToken, gcTime: KEPT_MS, ...WRITTEN });
  return { what, text: data };
}

const keyOf = (id: string, what: What) => [...draftsOf(id), what];
