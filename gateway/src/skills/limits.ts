/** Bounds of what is read from folders of skills: they may come from strangers. */
export const ROOM_LIMITS = Object.freeze({
  /** Files and folders of one package. */
  entries: 5_000,
  /** Of all files of one package together. */
  bytes: 64 * 1024 * 1024,
  /** Folders within folders of one package. */
  depth: 20,
  /** Characters of a path within a package. */
  pathLength: 400,
  /** Folders that are looked at in all roots together. */
  folders: 10_000,
});

/** A package is read once nothing in it has changed for so long, milliseconds. */
export const QUIET_MS = 50;

/** So long a package that keeps changing is waited for, and then left alone until the next try. Milliseconds. */
export const PATIENCE_MS = 1_000;

/** The pause between two tries doubles up to this: about as long as it has been changing for. Milliseconds. */
export const LONGEST_PAUSE_MS = 60_000;

/** Tries in turn after which a skill that goes on as its last good version says why. */
export const RESTLESS_TRIES = 3;

/** All folders are compared with what is known again after this time at the latest, milliseconds. */
export const SCAN_EVERY_MS = 250;

/** … and earlier where comparing is quick: after so many times as long as the last comparison took. */
export const SCAN_SHARE = 10;

/** Versions of one skill that are kept although nobody uses them. */
export const KEPT_VERSIONS = 5;

/** What another process may have open stays so long after it was last used, milliseconds. */
export const KEEP_USED_MS = 60 * 60_000;

/** A skill that changes all the time keeps no more than these; what is beyond them, for so long after it was last used. */
export const MOST_VERSIONS = 50;
export const KEEP_CROWDED_MS = 60_000;

/** Versions of skills that are not there any more stay so long, milliseconds. */
export const KEEP_REMOVED_MS = 30 * 24 * 60 * 60_000;

/** What an earlier snapshot's reader may still need, milliseconds. */
export const KEEP_SNAPSHOT_MS = 10 * 60_000;

/** Packages that are read at the same time. */
export const READS_AT_ONCE = 4;
