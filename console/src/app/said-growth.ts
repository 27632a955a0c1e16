/** Many that come together are said as one, and those that go on coming not more often than this. Milliseconds. */
const TOGETHER_MS = 500;
const SAID_AGAIN_MS = 10_000;

export interface SaidGrowth {
  /** How many there are now. */
  counted(count: number): void;
  stop(): void;
}

/** Says how many there are when they grew in number; fewer are said by what made them fewer. */
export function saidGrowth(say: (count: number) => void): SaidGrowth {
  let known = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    counted(count) {
      clearTimeout(timer);
      if (count <= known) {
        known = count;
        return;
      }
      const sayIt = () => {
        known = count;
        saidAt = Date.now();
        say(count);
      };
      timer = setTimeout(sayIt, Math.max(TOGETHER_MS, saidAt + SAID_AGAIN_MS - Date.now()));
    },
    stop: () => clearTimeout(timer),
  };
}
