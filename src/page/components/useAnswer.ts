// An answer of the exchange that a component shows: it is asked for when the component appears, and
// again when the person wishes.

import { useEffect, useState } from 'preact/hooks';

export type Answered<T> = {
  /** The last answer; undefined before the first. */
  readonly answer: T | undefined;
  /** Why the last request failed; undefined when it did not. */
  readonly failure: unknown;
  readonly again: () => void;
};

/** Asks anew when one of `reasons` has changed. An answer to an older request is not shown. */
export function useAnswer<T>(ask: () => Promise<T>, reasons: readonly unknown[]): Answered<T> {
  const [state, setState] = useState<{ answer?: T; failure?: unknown }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isWanted = true;
    ask().then(
      (answer) => isWanted && setState({ answer }),
      (failure: unknown) => isWanted && setState((before) => ({ ...before, failure })),
    );
    return () => {
      isWanted = false;
    };
  }, [turn, ...reasons]);
  const { answer, failure } = state;
  return { answer, failure, again: () => setTurn(turn + 1) };
}
