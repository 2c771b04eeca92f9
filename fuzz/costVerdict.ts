// When a case of the target of cost is over its budget, from measurements that are disturbed by
// other work of the machine. It measures nothing itself.
//
// The lowest of several measurements would hide what is really too expensive: one lucky round is
// enough. So the middle one counts, of many rounds, each beside plain requests of the same moment,
// and twice: the first series may find code that is not compiled yet.

/** One measurement, and the microseconds that it took. */
export type Round<Measure> = { readonly value: Measure; readonly us: number };

export type RoundsVerdict<Measure> = {
  /** Those that the verdict is made of. */
  readonly measures: readonly Measure[];
  readonly isOver: boolean;
};

/** A single round that is so far below its budget is enough. */
const clearAlone = 0.8;
/** So many rounds are enough when their middle is so far below. */
const roundsMin = 7;
const clearTogether = 0.93;
const rounds = 31;
/**
 * How far the middle of all rounds may lie above the budget by chance alone. An excess of a tenth
 * is found.
 */
const tolerance = 1.05;
/** A case that has taken so many microseconds is not measured again. */
const enoughUs = 2_000_000;

/**
 * `next` measures once more, beside plain requests of the same moment when it is paired; `ratioOf`
 * divides the middle of measurements by the budget.
 */
export async function judgeRounds<Measure>(
  next: (isPaired: boolean) => Promise<Round<Measure>>,
  ratioOf: (measures: readonly Measure[]) => number,
): Promise<RoundsVerdict<Measure>> {
  const first = await next(false);
  let spentUs = first.us;
  const series = async (): Promise<Measure[]> => {
    const measures: Measure[] = [];
    while (measures.length < rounds) {
      const { value, us } = await next(true);
      measures.push(value);
      spentUs += us;
      const isClear = measures.length >= roundsMin && ratioOf(measures) <= clearTogether;
      if (isClear || spentUs > enoughUs) break;
    }
    return measures;
  };
  let measures = [first.value];
  if (ratioOf(measures) <= clearAlone) return { measures, isOver: false };
  for (let again = 0; again < 2; again += 1) {
    if (again === 0 || spentUs <= enoughUs) measures = await series();
    if (ratioOf(measures) <= tolerance) return { measures, isOver: false };
  }
  return { measures, isOver: true };
}
