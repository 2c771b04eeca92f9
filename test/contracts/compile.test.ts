// The committed artifacts of the contracts are what the compiler makes of their sources, and fit
// into a block chain's bound for code.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  artifactPath,
  artifactText,
  compile,
  compiled,
  readSources,
} from '../../contracts/compile.ts';

/** The bound of code of one contract (EIP-170). */
const codeBytesMax = 24_576;

test('the committed artifacts are those of the sources', () => {
  const artifacts = compile(readSources(), Object.keys(compiled));
  for (const artifact of artifacts) {
    const committed = readFileSync(artifactPath(artifact.contract), 'utf8');
    expect(committed === artifactText(artifact), `npm run contracts: ${artifact.contract}`).toBe(
      true,
    );
    expect(artifact.size).toBeLessThanOrEqual(codeBytesMax);
  }
});

test('a source that does not compile, or compiles with a warning, is refused', () => {
  const path = compiled.TestUsdt!;
  const sources = readSources();
  const spoilt = (from: string, to: string) => ({
    ...sources,
    [path]: sources[path]!.replace(from, to),
  });
  expect(() => compile(spoilt('require(!paused', 'require(!closed'), ['TestUsdt'])).toThrow(
    /closed/,
  );
  expect(() =>
    compile(spoilt('uint256 fee =', 'uint256 idle; uint256 fee ='), ['TestUsdt']),
  ).toThrow(/Unused local variable/);
});
