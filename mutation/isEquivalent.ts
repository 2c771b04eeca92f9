// The mutants that a person has read and that change nothing (equivalent.json), and the entries
// that no longer name a mutant.

/** An entry: some changes of a line, found by the line's text. */
export type Equivalent = {
  readonly file: string;
  readonly line: string;
  /** As the report prints a survivor: original text → replacement. */
  readonly changes: readonly string[];
  readonly reason: string;
};

/** A mutant as an entry names it. */
export type Named = { readonly path: string; readonly source: string; readonly change: string };

export function isEquivalent(known: readonly Equivalent[], mutant: Named): boolean {
  return known.some(
    ({ file, line, changes }) =>
      file === mutant.path && line === mutant.source && changes.includes(mutant.change),
  );
}

/** The entries of these files, by change, that name none of the files' mutants. */
export function staleEntries(
  known: readonly Equivalent[],
  files: readonly string[],
  mutants: readonly Named[],
): Named[] {
  const keyOf = ({ path, source, change }: Named): string => `${path}\n${source}\n${change}`;
  const present = new Set(mutants.map(keyOf));
  return known
    .filter(({ file }) => files.includes(file))
    .flatMap(({ file, line, changes }) =>
      changes.map((change) => ({ path: file, source: line, change })),
    )
    .filter((named) => !present.has(keyOf(named)));
}
