// Writes contracts/artifacts from the sources of the contracts; a test compiles again and compares.

import { writeFileSync } from 'node:fs';
import {
  artifactPath,
  artifactText,
  compile,
  compiled,
  readSources,
} from '../contracts/compile.ts';

for (const artifact of compile(readSources(), Object.keys(compiled))) {
  const path = artifactPath(artifact.contract);
  writeFileSync(path, artifactText(artifact));
  process.stdout.write(`${path}: ${artifact.size} bytes on the chain\n`);
}
