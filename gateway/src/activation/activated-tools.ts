/** Which operations a principal has found, so that its list shows them as tools of their own. Decides no access. */
export interface ActivatedTools {
  /** Keys, sorted; from memory, without asking anybody. The same array while nothing changed. */
  known(principal: string): readonly string[];
  /**
   * From now on these count as used. Of each source only the `maxPerSource` that were used last stay. True: all of
   * them are known now. Rejects with `store_unavailable`.
   */
  activate(principal: string, operations: readonly string[], maxPerSource: number): Promise<boolean>;
  /** Called with each principal whose operations changed, by whichever process. */
  onChange(listener: (principal: string) => void): () => void;
  /** Reads what is kept; before, nobody has found anything. Rejects with `store_unavailable`. */
  open(): Promise<void>;
  /** Waits for what is under way. The store stays open. */
  close(): Promise<void>;
}
