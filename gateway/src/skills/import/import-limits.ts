const MIB = 1024 * 1024;

/** What one import may be. Whoever sends more is refused while it is read, not afterwards. */
export const IMPORT_LIMITS = Object.freeze({
  /** Of an archive, packed, and of what a git server sends. */
  archiveBytes: 64 * MIB,
  /** Of all files together, unpacked. */
  unpackedBytes: 128 * MIB,
  fileBytes: 32 * MIB,
  /** Files and folders. */
  entries: 10_000,
  /** Unpacked bytes for each packed one, once `ratioFreeBytes` are out: text packs to a tenth, a bomb to a thousandth. */
  ratio: 200,
  ratioFreeBytes: MIB,
  /** Folders above a file, within the package. */
  depth: 20,
  /** Characters of a path within the package. */
  pathLength: 400,
  /** Bytes of one name in it. */
  nameBytes: 255,
  /** Of a SKILL.md that comes alone. */
  documentBytes: MIB,
  /** Folders down to a SKILL.md, in a package with several skills. */
  skillDepth: 4,
  /** Skills in one package. */
  skills: 500,
  /** Milliseconds of one import's whole transfer. */
  transferMs: 300_000,
  /** Milliseconds without a byte. */
  idleMs: 30_000,
  redirects: 5,
});

/** What a repository may cost beside: it is unpacked in memory, object by object. */
export const GIT_LIMITS = Object.freeze({
  /** The list of branches and tags. */
  refsBytes: 16 * MIB,
  objects: 50_000,
  objectBytes: 64 * MIB,
  /** Of all objects of a pack together, deltas applied. */
  packedOutBytes: 512 * MIB,
});
