// The artifact of a contract for its tests. A campaign that tries mutants of the contracts names
// another folder in EVERMARK_ARTIFACTS.

import {
  type Artifact,
  type ArtifactName,
  readArtifact as readFrom,
} from '../src/chain/artifact.ts';

export const readArtifact = (name: ArtifactName): Artifact =>
  readFrom(name, process.env.EVERMARK_ARTIFACTS);
