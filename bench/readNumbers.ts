// The flags of a benchmark that are whole numbers: `--name N` for each of its options.

/**
 * The options, with the values in `args`, each at least 1, or 0 for those of `optional`. Throws a
 * sentence with all flags.
 */
export function readNumbers<Options extends Record<string, number>>(
  bench: string,
  args: readonly string[],
  defaults: Options,
  optional: readonly (keyof Options)[] = [],
): Options {
  const flags = Object.keys(defaults).map((name) => `--${name} N`);
  const usage = `${bench} takes ${flags.join(' ')}`;
  const options: Record<string, number> = { ...defaults };
  for (let i = 0; i < args.length; i += 2) {
    const name = (args[i] ?? '').replace(/^--/, '');
    const value = Number(args[i + 1]);
    if (!Object.hasOwn(defaults, name)) throw new Error(`${usage}; not ${args[i]}`);
    const least = optional.includes(name) ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new Error(`${usage}; ${args[i]} wants N`);
    }
    options[name] = value;
  }
  return options as Options;
}
