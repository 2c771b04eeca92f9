// Work that must not overlap, by name: what is asked for a name while other work on it is under way
// waits for its end, however it ends. Other names do not wait.

/** Runs work on a name after the work on it that was asked for before; gives its result. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}
