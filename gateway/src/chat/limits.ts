/** Characters of one tool's result that the model reads. */
export const MAX_RESULT_CHARACTERS = 60_000;
/** Characters of a conversation from which on no tool is offered any more. */
export const MAX_CONVERSATION_CHARACTERS = 2_000_000;
/** Characters of a skill's instructions. */
export const MAX_INSTRUCTIONS_CHARACTERS = 200_000;
/** Calls of one answer that are looked at; a model that runs on writes any number. */
export const MAX_CALLS = 64;
/** Reads that run together. */
export const MAX_TOGETHER = 8;
/** Bytes of one answer of the endpoint, decoded. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** How long one answer may take, its repetitions included, milliseconds. */
export const ANSWER_TIMEOUT_MS = 10 * 60 * 1000;
/** How long a model may think before it begins, and be silent in between, milliseconds. */
export const SILENCE_MS = 2 * 60 * 1000;
