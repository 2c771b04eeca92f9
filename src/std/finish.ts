// Work that is written in short steps.

/** All steps of a generator at once. */
export function finish<T>(growing: Generator<void, T>): T {
  for (;;) {
    const { done, value } = growing.next();
    if (done) return value;
  }
}
