/** What an operation does to the service, as far as a request tells: it looks something up, or it changes something. */
export type Effect = 'reads' | 'changes';

/** Words of a question: other ones than those of an operation's id (`intent.ts`), where `issue` and `copy` are verbs. */
const READING: ReadonlySet<string> = new Set(
  'find search show list get retrieve fetch check look lookup view read see browse explore count tell'.split(
    ' ',
  ),
);
const CHANGING: ReadonlySet<string> = new Set(
  (
    'create add insert make generate register upload submit send post open close start stop assign invite approve reject ' +
    'update edit change set modify put patch replace rename move merge enable disable archive restore transfer ' +
    'delete remove cancel revoke'
  ).split(' '),
);
/** They ask for something, unless a verb says what is to be done: "how do I delete a pet". */
const ASKING: ReadonlySet<string> = new Set('what which who whose when where how'.split(' '));

/** By the verbs among the words of a request; undefined: there are none, or they are of both kinds. */
export function wantedEffect(words: readonly string[]): Effect | undefined {
  const reads = words.some((word) => READING.has(word));
  const changes = words.some((word) => CHANGING.has(word));
  if (reads !== changes) return reads ? 'reads' : 'changes';
  return !reads && words.some((word) => ASKING.has(word)) ? 'reads' : undefined;
}
