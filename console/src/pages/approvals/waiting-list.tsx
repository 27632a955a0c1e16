import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { isPageKey } from '../../app/single-keys.ts';
import { Button } from '../../components/button.tsx';
import { filled } from '../../components/filled.ts';
import { counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorNote } from '../../components/states/error-note.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { MoreButton } from '../../components/tables/more-button.tsx';
import styles from './approvals.module.css';
import { type ShownApproval, useWaitingApprovals } from './queries.ts';
import { RejectAll } from './reject-all.tsx';
import { filterIn, fits, type Narrowed, type WaitingFilter } from './waiting-filter.ts';
import { WaitingFilters } from './waiting-filters.tsx';
import { type Ended, WaitingItem } from './waiting-item.tsx';

/** Cards that are drawn at first; the next come as these are decided. */
const DRAWN = 25;
/** How many more a press draws. */
const STEP = 100;

const NO_FILTER: WaitingFilter = { principal: '', source: '', tool: '' };

/** Where a card or its receipt stands. */
type Place = Pick<ShownApproval, 'id' | Narrowed>;

/**
 * What waits, the oldest first. A decided card stays as its receipt where it stood, so that nothing moves under the
 * hand that decides; j and k go between those that wait.
 */
export function WaitingList() {
  const asked = useWaitingApprovals();
  const { data, error } = asked;
  const [query, setQuery] = useSearchParams();
  const filter = filterIn(query);
  const [order, setOrder] = useState<readonly Place[]>([]);
  const [most, setMost] = useState(DRAWN);
  /** On their way to be rejected together. */
  const [away, setAway] = useState<ReadonlySet<string>>(new Set());
  /** What ended under this hand, the last of it at the end. */
  const [ended, setEnded] = useState<ReadonlyMap<string, Ended>>(new Map());
  const elements = useRef(new Map<string, HTMLElement>());
  /** What the focus goes to once its receipt is read. */
  const wanted = useRef<string>(undefined);

  const waiting = new Map((data ?? []).filter(({ id }) => !ended.has(id)).map((one) => [one.id, one]));
  const known = new Set(order.map(({ id }) => id));
  const all = [...order, ...[...waiting.values()].filter(({ id }) => !known.has(id))];
  useEffect(() => {
    if (all.length !== order.length) setOrder(all);
  });
  const narrowed = fits(filter);
  const fitting = all.filter((one) => !away.has(one.id) && narrowed(one)).map(({ id }) => id);
  const left = fitting.flatMap((id) => waiting.get(id) ?? []);
  const last = left[most]?.id;
  const shown = last === undefined ? fitting : fitting.slice(0, fitting.indexOf(last));
  const stillWaits = shown.filter((id) => waiting.has(id));

  const focusWanted = (id: string) => {
    const element = elements.current.get(id);
    if (element === undefined || wanted.current !== id) return;
    wanted.current = undefined;
    // whoever went on while it was read stays there
    if (document.activeElement === document.body) element.focus();
  };
  const onEnded = (id: string, refusal?: Error) => setEnded((before) => new Map(before).set(id, { refusal }));
  /** To the next that waits; to what became of this one, where it is the last or became something else. */
  const goOn = useEffectEvent((over: ReadonlyMap<string, Ended>) => {
    const [id, end] = [...over].at(-1) ?? [];
    // whoever went on meanwhile stays there
    if (id === undefined || document.activeElement !== document.body) return;
    const place = shown.indexOf(id);
    const others = (from: readonly string[]) => from.find((other) => waiting.has(other));
    const next = others(shown.slice(place + 1)) ?? others(shown.slice(0, place).reverse());
    const target = end?.refusal === undefined ? (next ?? id) : id;
    wanted.current = target;
    focusWanted(target);
  });
  // in the commit that takes the decided card away: no key that is pressed meanwhile is lost
  useLayoutEffect(() => goOn(ended), [ended]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || !isPageKey(event)) return;
      const current = stillWaits.findIndex((id) =>
        elements.current.get(id)?.contains(document.activeElement),
      );
      wanted.current = undefined;
      const next = current === -1 ? 0 : Math.min(Math.max(current + step, 0), stillWaits.length - 1);
      elements.current.get(stillWaits[next] ?? '')?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  if (data === undefined)
    return <QueryState query={asked} what="approvals" title="The approvals could not be read" />;
  const receipts = shown.length - stillWaits.length;
  const isFiltered = Object.keys(filter).length > 0;
  const change = (changes: WaitingFilter) => {
    setMost(DRAWN);
    setQuery(filled({ ...filter, ...changes }), {
      replace: true,
    });
  };
  return (
    <>
      {error === null ? null : <ErrorNote error={error} title="What is shown may be old" />}
      {/* with the first call, not with the second: the cards would move under the hand that decides one */}
      {all.length === 0 && !isFiltered ? null : (
        <WaitingFilters
          filter={filter}
          waiting={[...waiting.values()]}
          onChange={(name, value) => change({ [name]: value })}
        >
          {isFiltered ? (
            <div className={styles['found']}>
              <p role="status">{`${left.length} of ${counted(waiting.size, 'call')} that wait`}</p>
              <Button size="s" variant="quiet" onClick={() => change(NO_FILTER)}>
                Show all
              </Button>
              <RejectAll
                waiting={left}
                onAway={(ids, isAway) =>
                  setAway((before) =>
                    isAway
                      ? new Set([...before, ...ids])
                      : new Set([...before].filter((id) => !ids.includes(id))),
                  )
                }
              />
            </div>
          ) : null}
        </WaitingFilters>
      )}
      <ol className={styles['list']} aria-label="Approvals">
        {shown.map((id) => (
          <li key={id}>
            <WaitingItem
              id={id}
              waiting={waiting.get(id)}
              ended={ended.get(id)}
              onEnded={onEnded}
              onHandLost={(lost) => {
                wanted.current = lost;
              }}
              ref={(element: HTMLElement | null) => {
                if (element === null) elements.current.delete(id);
                else elements.current.set(id, element);
                focusWanted(id);
              }}
            />
          </li>
        ))}
      </ol>
      {last === undefined ? null : (
        <p className={styles['clear']}>
          <MoreButton size="s" onClick={() => setMost(most + STEP)}>
            Show more: {counted(left.length - stillWaits.length, 'later one')} not shown
          </MoreButton>
        </p>
      )}
      {receipts === 0 ? null : (
        <p className={styles['clear']}>
          <Button size="s" variant="quiet" onClick={() => setOrder(all.filter(({ id }) => waiting.has(id)))}>
            Put away {receipts === 1 ? 'the receipt' : `${receipts} receipts`}
          </Button>
        </p>
      )}
      {stillWaits.length === 0 ? (
        <div className={styles['nothing']}>
          <EmptyState title={isFiltered ? 'Nothing that waits fits these filters' : 'Nothing waits'}>
            <p>A call that needs a person appears here at once, with everything to decide by.</p>
          </EmptyState>
        </div>
      ) : null}
    </>
  );
}
