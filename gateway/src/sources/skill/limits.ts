/** Bounds of what is read from a package; skills may come from strangers. */
export const PACKAGE_LIMITS = Object.freeze({
  /** Bytes of SKILL.md. */
  skillBytes: 1024 * 1024,
  /** Characters of its front matter. */
  frontMatter: 64 * 1024,
  /** Bytes of one manifest, and of all manifests of a skill. */
  manifestBytes: 256 * 1024,
  manifestsBytes: 512 * 1024,
  manifests: 100,
  tools: 200,
  /** Lists and mappings inside each other. */
  depth: 64,
  /** `:`, `?` and `,` that build structure: the reader of YAML compares every key of a mapping with every other. */
  signs: 6000,
  /** Names, values and list items as they are written. */
  scalars: 20_000,
  aliases: 100,
  /** Values of a file with its aliases expanded. */
  values: 50_000,
  /** Bytes of a script that is read to find its first line. */
  scriptBytes: 1024 * 1024,
  description: 4096,
});

/** Bytes of the largest file that clients are given: one that asks for many at a time must not fill the memory. */
export const READABLE_BYTES = 16 * 1024 * 1024;
