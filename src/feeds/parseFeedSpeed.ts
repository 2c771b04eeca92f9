// The text of `--feed-speed`: how many seconds of the recording pass in one real second.

const speedMax = 100_000;

/**
 * The speed as a number above 0 and at most 100,000; undefined when the text is not such a number.
 */
export function parseFeedSpeed(text: string): number | undefined {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) return undefined;
  const speed = Number(text);
  return speed > 0 && speed <= speedMax ? speed : undefined;
}
