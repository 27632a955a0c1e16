import { printable } from '../../operations/text/printable.ts';

/** What became of one export, in the words of the SDK: code 0 is success. */
export interface ExportEnd {
  readonly code: number;
  readonly error?: Error;
}

export interface Exporter {
  export(items: unknown, done: (end: ExportEnd) => void): void;
}

/** Whether what is exported arrives. The SDK itself says it to nobody. */
export interface ExportFaults {
  /** The SDK's complaint about an answer that it counts as success: spans refused, a web page. Its end follows at once. */
  doubt(...words: readonly unknown[]): void;
  ended(what: Signal, end: ExportEnd): void;
}

export type Signal = 'traces' | 'metrics';

const MOST_WORDS = 300;

/** Tells of the first export that fails, and again only once one of its kind was taken in between. */
export function exportFaults(tell: (what: Signal, reason: string) => void): ExportFaults {
  const failing = new Set<Signal>();
  let doubted: string | undefined;
  return {
    doubt(...words) {
      // neither errors nor bodies: they repeat what was answered
      doubted = words.filter((word) => typeof word === 'string').join(' ');
    },
    ended(what, { code, error }) {
      const reason = code === 0 ? doubted : reasonOf(error);
      doubted = undefined;
      if (reason === undefined) failing.delete(what);
      else if (!failing.has(what)) {
        failing.add(what);
        tell(what, printable(reason, MOST_WORDS));
      }
    },
  };
}

/**
 * The exporter `usual`, whose ends are told; once `isClosing`, `last` exports, which waits for less time: a collector
 * that is down keeps nobody from leaving.
 */
export function toldExporter<E extends Exporter>(
  { usual, last }: { readonly usual: E; readonly last: E },
  isClosing: () => boolean,
  ended: (end: ExportEnd) => void,
): E {
  const told: Exporter = {
    export(items, done) {
      (isClosing() ? last : usual).export(items, (end) => {
        ended(end);
        done(end);
      });
    },
  };
  return Object.assign(Object.create(usual) as E, told);
}

/** A status or the system's code; never the body, which may repeat what was sent. */
function reasonOf(error: Error | undefined): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (typeof code === 'number') return `it answers ${code}`;
  return typeof code === 'string' ? code : (error?.message ?? 'no reason is known');
}
