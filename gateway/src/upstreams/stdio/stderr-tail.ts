const MAX_CHARACTERS = 8_192;
const MASK = '[redacted]';
/** Shorter values would blacken ordinary words. */
const MIN_SECRET = 6;

/** The end of what a process wrote to stderr: bounded, without the secrets that it was given. */
export interface StderrTail {
  push(text: string): void;
  text(): string;
}

export function createStderrTail(
  secrets: readonly string[],
  redact: (text: string) => string = (text) => text,
): StderrTail {
  const needles = secrets.filter((secret) => secret.length >= MIN_SECRET).sort((a, b) => b.length - a.length);
  let kept = '';
  return {
    push(text) {
      kept = (kept + text).slice(-2 * MAX_CHARACTERS);
    },
    text() {
      const masked = needles.reduce((text, needle) => text.replaceAll(needle, MASK), kept);
      // the first line may have lost the start of a secret
      const whole = kept.length < 2 * MAX_CHARACTERS ? masked : masked.slice(masked.indexOf('\n') + 1);
      return withoutControls(redact(whole)).slice(-MAX_CHARACTERS).trim();
    },
  };
}

/** Keeps line ends and tabs; a terminal's escape sequences do not get into logs. */
function withoutControls(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
