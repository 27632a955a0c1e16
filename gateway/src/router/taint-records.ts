/** To whom what strangers wrote was delivered: a caller within a run, or the caller where there is none. */
export interface TaintKey {
  readonly principal: string;
  /** '' for calls that belong to none; they count for every run of the caller. */
  readonly run: string;
}

export interface TaintRecords {
  mark(key: TaintKey, source: string, forMs: number): Promise<void>;
  /** The source whose content counts still; '' where there must be one and nobody knows which. */
  find(key: TaintKey): Promise<string | undefined>;
}
