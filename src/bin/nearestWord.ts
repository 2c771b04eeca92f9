// The word of a list that a person probably meant to type.

/** A word further away than this does not count. */
const editsMax = 2;

/** undefined: no word is near. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const begun = words.find((word) => typed.length >= 3 && word.startsWith(typed));
  if (begun !== undefined) return begun;
  const [nearest] = words
    .map((word) => ({ word, edits: editsBetween(typed, word) }))
    .sort((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= editsMax ? nearest.word : undefined;
}

/** The number of letters to insert, remove or change. Cost: the product of the lengths. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = before[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      row.push(Math.min(changed, before[j]! + 1, row[j - 1]! + 1));
    }
    before = row;
  }
  return before[other.length]!;
}
