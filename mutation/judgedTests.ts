// The tests that judge mutants unless others are named, as patterns.

export const judgedTests: readonly string[] = [
  'test/{units,book,scenarios,engine,engine/precedence}/*.test.ts',
  'test/chain/depositHash.test.ts',
];
