/** What a flight brought back, and until when it may be used (milliseconds since the epoch). */
export interface Landed<T> {
  readonly value: T;
  readonly usableUntil: number;
}

interface Flight<T> {
  readonly landed: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Values that are costly to get: kept in memory while usable, and fetched once however many callers wait. A
 * caller that goes away leaves the others alone; the fetch ends when the last one has gone. Failures are not kept.
 */
export class SharedFlights<T> {
  readonly #now: () => number;
  readonly #capacity: number;
  readonly #kept = new Map<string, Landed<T>>();
  readonly #flights = new Map<string, Flight<T>>();

  constructor(now: () => number, capacity = 1000) {
    this.#now = now;
    this.#capacity = capacity;
  }

  async get(
    key: string,
    signal: AbortSignal,
    fetch: (signal: AbortSignal) => Promise<Landed<T>>,
  ): Promise<T> {
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.usableUntil > this.#now()) return kept.value;
    const flight = this.#flights.get(key) ?? this.#start(key, fetch);
    flight.waiting++;
    const leave = Promise.withResolvers<never>();
    const onAbort = () => leave.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([flight.landed, leave.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (--flight.waiting === 0) this.#abandon(key, flight);
    }
  }

  /** True when something was kept or is on its way under a key that fits. */
  forget(fits: (key: string) => boolean): boolean {
    let forgotten = false;
    for (const key of [...this.#kept.keys()].filter(fits)) forgotten = this.#kept.delete(key) || forgotten;
    for (const key of [...this.#flights.keys()].filter(fits))
      forgotten = this.#flights.delete(key) || forgotten;
    return forgotten;
  }

  /**
   * Forgets the value that proved useless, unless a newer one is kept already. True when it was the kept one and
   * nothing newer is on its way.
   */
  forgetValue(key: string, value: T): boolean {
    if (this.#kept.get(key)?.value !== value) return false;
    this.#kept.delete(key);
    return !this.#flights.has(key);
  }

  #start(key: string, fetch: (signal: AbortSignal) => Promise<Landed<T>>): Flight<T> {
    const controller = new AbortController();
    const landed = fetch(controller.signal).then(({ value, usableUntil }) => {
      if (this.#flights.get(key) === flight) this.#keep(key, { value, usableUntil });
      return value;
    });
    const flight: Flight<T> = { landed, controller, waiting: 0 };
    landed.catch(() => {});
    this.#flights.set(key, flight);
    return flight;
  }

  #abandon(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.controller.abort(new DOMException('Nobody waits for it any more.', 'AbortError'));
  }

  #keep(key: string, landed: Landed<T>): void {
    this.#kept.delete(key);
    this.#kept.set(key, landed);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > this.#capacity && oldest !== undefined) this.#kept.delete(oldest);
  }
}
