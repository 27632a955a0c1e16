import { Link } from 'wouter';
import { useCalls } from './queries.ts';

/** To the story of the call that was just made, once its event is there. */
export function StoryLink({ name, trace }: { readonly name: string; readonly trace: string }) {
  const calls = useCalls(name);
  const call = calls.data?.find((one) => one.trace === trace)?.call;
  return call === undefined ? null : <Link href={`/calls/${encodeURIComponent(call)}`}>Its story</Link>;
}
