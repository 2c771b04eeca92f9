// Repeats work often while it is wanted, and seldom while nothing wants it: each time wakes the
// thread that trades, which costs an idle process 0.1 ms.

export type Pulse = {
  /** It is wanted from now on. */
  readonly quicken: () => void;
  readonly stop: () => void;
};

/** Begins seldom. `work` gives whether it is still wanted. The intervals are in milliseconds. */
export function createPulse(
  work: () => boolean,
  { oftenMs, seldomMs }: { readonly oftenMs: number; readonly seldomMs: number },
): Pulse {
  let isQuick = false;
  const beat = (): void => {
    const isWanted = work();
    if (isWanted !== isQuick) change(isWanted);
  };
  const change = (quick: boolean): void => {
    isQuick = quick;
    clearInterval(timer);
    timer = setInterval(beat, quick ? oftenMs : seldomMs);
  };
  let timer = setInterval(beat, seldomMs);
  return {
    quicken: () => {
      if (!isQuick) change(true);
    },
    stop: () => clearInterval(timer),
  };
}
