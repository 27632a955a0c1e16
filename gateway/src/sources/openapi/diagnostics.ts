import type { Diagnostic, Severity } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';

/** Diagnostics of one code beyond this are counted, not kept. */
const KEPT_PER_CODE = 100;
/** Characters of a message; what a document says in it may be longer. */
const MAX_MESSAGE = 1000;

/** Collects diagnostics, each place and code once. */
export class DiagnosticLog {
  readonly #kept: Diagnostic[] = [];
  readonly #counts = new Map<string, number>();
  readonly #places = new Set<string>();

  /** `pointer` is `#/…` in the main document, or `URL#/…` in another one. */
  report(code: string, severity: Severity, message: string, pointer?: string): void {
    const said = withoutMiddle(message);
    // long keys of one length and beginning would be compared character by character
    const place = `${code} ${withoutMiddle(pointer ?? '')} ${said}`;
    if (this.#places.has(place)) return;
    this.#places.add(place);
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > KEPT_PER_CODE) return;
    const hash = pointer?.indexOf('#') ?? -1;
    this.#kept.push({
      code,
      severity,
      message: said,
      ...(pointer === undefined ? {} : { pointer: hash > 0 ? pointer.slice(hash) : pointer }),
      ...(pointer !== undefined && hash > 0 ? { location: pointer.slice(0, hash) } : {}),
    });
  }

  list(): Diagnostic[] {
    const more: Diagnostic[] = [];
    for (const [code, count] of this.#counts) {
      if (count <= KEPT_PER_CODE) continue;
      const message = `${count - KEPT_PER_CODE} more of this kind are not listed.`;
      more.push({ code, severity: 'info', message });
    }
    return [...this.#kept, ...more];
  }
}

function withoutMiddle(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  return `${cutText(text, MAX_MESSAGE / 2)} … ${text.slice(-MAX_MESSAGE / 2).toWellFormed()}`;
}
