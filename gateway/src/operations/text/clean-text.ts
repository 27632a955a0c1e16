import { once } from '../work/once.ts';
import { neutraliseControlTags } from './control-tags.ts';
import { cutText } from './cut-text.ts';

export interface CleanTextOptions {
  /** Where the text stands, for the list of changes. */
  readonly field?: string;
  /** UTF-16 units; longer text is cut at a character and ends in `…`. */
  readonly maxLength?: number;
  /** False for values that must reach the service as they are: then imitated control tags stay. Default true. */
  readonly tags?: boolean;
}

/** Anything that the rules below could touch; most text has none of it. */
const SUSPECT =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200d\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\ufe00-\ufe0f]/;

/**
 * A terminal's escape sequences (ECMA-48 §5.3–5.6): CSI, strings up to their terminator, two-byte ones. No string goes
 * beyond the begin of another one: each character is looked at once.
 */
const ESCAPE_SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;
/** Zero-width space, word joiner, invisible operators, deprecated format characters, BOM, annotation marks. */
const ZERO_WIDTH = /[\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb]/g;
/** Tag characters, except in the three flags that Unicode recommends (England, Scotland, Wales). */
const TAG_CHARACTER =
  /(?<flag>\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})|[\u{e0000}-\u{e007f}]/gu;
/** Kept: a supplementary selector behind one ideograph (UTS #37), and never two selectors in a row. */
const VARIATION_SELECTOR =
  /(?<kept>(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]|(?<![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f])|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Scripts whose spelling needs ZWJ and ZWNJ (Unicode Standard §9.2, §12). */
const JOINING_SCRIPTS = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Tibetan',
  'Myanmar',
  'Khmer',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/**
 * Kept: one joiner beside such a letter, and ZWJ inside an emoji sequence (UTS #51). Everything else goes. Made when it is
 * first needed: reading so many properties takes milliseconds.
 */
const joiner = once(
  () =>
    new RegExp(
      `(?<kept>(?<=[${JOINING_SCRIPTS}])[\\u200c\\u200d]|(?<![\\u200c\\u200d])[\\u200c\\u200d](?=[${JOINING_SCRIPTS}])` +
        '|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\u{e007f}])\\u200d(?=\\p{Extended_Pictographic}))' +
        '|[\\u200c\\u200d]',
      'gu',
    ),
);

/** False: nothing is hidden in the text, and `cleanText` changes no character of it but imitated control tags. */
export function mayHide(text: string): boolean {
  return SUSPECT.test(text);
}

/**
 * Removes what a reader cannot see but a model can, and takes the brackets off imitated control tags. Text that
 * needs invisible characters (emoji sequences, Persian, Indic scripts) keeps them. Linear time. This is hygiene:
 * it does not detect injected instructions.
 */
export function cleanText(text: string, options: CleanTextOptions = {}): { text: string; changes: string[] } {
  const changes: string[] = [];
  const place = options.field === undefined ? '' : `${options.field}: `;
  const step = (before: string, after: string, what: string): string => {
    if (after !== before) changes.push(place + what);
    return after;
  };
  let result = text;
  if (SUSPECT.test(result)) {
    result = step(result, result.toWellFormed(), 'unpaired surrogates replaced');
    result = step(result, result.replace(TAG_CHARACTER, '$<flag>'), 'tag characters removed');
    result = step(result, result.replace(BIDI, ''), 'bidirectional controls removed');
    result = step(result, result.replace(ZERO_WIDTH, ''), 'zero-width characters removed');
    result = step(result, result.replace(ESCAPE_SEQUENCE, ''), 'escape sequences removed');
    result = step(result, result.replace(CONTROL, ''), 'control characters removed');
    result = step(result, result.replace(VARIATION_SELECTOR, '$<kept>'), 'stray variation selectors removed');
    result = step(result, result.replace(joiner(), '$<kept>'), 'stray joiners removed');
  }
  if (options.tags !== false)
    result = step(result, neutraliseControlTags(result), 'imitated control tags unbracketed');
  if (options.maxLength !== undefined && result.length > options.maxLength)
    result = step(
      result,
      `${cutText(result, options.maxLength - 1)}…`,
      `cut at ${options.maxLength} characters`,
    );
  return { text: result, changes };
}
