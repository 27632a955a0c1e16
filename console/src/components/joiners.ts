/** What connects to the letter after it, of the block Arabic (Unicode, `Joining_Type` D). */
const DUAL =
  '[\\u0620\\u0626\\u0628\\u062a-\\u062e\\u0633-\\u063f\\u0641-\\u0647\\u0649\\u064a\\u066e\\u066f\\u0678-\\u0687\\u069a-\\u06bf\\u06c1\\u06c2\\u06cc\\u06ce\\u06d0\\u06d1\\u06fa-\\u06fc\\u06ff]';
/** What connects to the letter before it: `Joining_Type` D and R. */
const CONNECTS = '[[\\p{L}&&[\\u0620-\\u06ff]]--[\\u0621\\u0640\\u0674\\u06e5\\u06e6]]';

/** Scripts whose conjuncts are written with joiners, and their virama. */
const VIRAMAS = {
  Devanagari: '\\u094d',
  Bengali: '\\u09cd',
  Gurmukhi: '\\u0a4d',
  Gujarati: '\\u0acd',
  Oriya: '\\u0b4d',
  Telugu: '\\u0c4d',
  Kannada: '\\u0ccd',
  Malayalam: '\\u0d4d',
  Sinhala: '\\u0dca',
};

const inConjuncts = Object.entries(VIRAMAS).map(([script, virama]) => {
  const letter = `[\\p{L}&&\\p{Script=${script}}]`;
  return `[\\u200c\\u200d](?<=${letter}\\p{Mn}*${virama}.)(?=${letter})`;
});

/**
 * ZWNJ and ZWJ where they change what is seen, as pattern for the flag `v`: between letters that would connect, in
 * conjuncts, in emoji of several (UTS #39, 3.1.1; RFC 5892, A.1 and A.2; UTS #51, RGI). Elsewhere nobody sees them.
 */
export const SEEN_JOINERS = [
  '\\p{RGI_Emoji_ZWJ_Sequence}',
  `\\u200c(?<=${DUAL}\\p{Mn}*.)(?=\\p{Mn}*${CONNECTS})`,
  ...inConjuncts,
].join('|');
