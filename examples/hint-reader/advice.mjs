/**
 * Understands `x-advice`, this shop's own way to write hints, and says the same in the members of `x-llm-hints`.
 * @type {import('toolcrib').HintReader}
 */
export const adviceReader = {
  name: 'advice',
  extension: 'x-advice',
  read: (advice, operation) => ({
    purpose: operation?.summary,
    usage: [advice.when],
    ...(advice.careful === undefined
      ? {}
      : { requires_confirmation: true, confirmation_reason: advice.careful, idempotent: false }),
    ...(advice.every === undefined ? {} : { rate_limit: { limit: 1, window_seconds: advice.every } }),
  }),
};
