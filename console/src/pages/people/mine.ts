/** What somebody who looks may do here, and who that is. */
export interface Mine {
  /** May create, change and remove what belongs to the organisation. */
  readonly administers: boolean;
  /** The operator: organisations, and keys that decide. */
  readonly operates: boolean;
  /** Id of the user who looks. */
  readonly own: string | undefined;
}
