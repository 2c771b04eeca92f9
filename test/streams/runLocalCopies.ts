// The long run of keepCopies.ts: `node scripts/node24.mjs test/streams/runLocalCopies.ts [--seed N]
// [--messages N]`. Prints its figures and ends with 1 when a copy was wrong.

import { keepCopies } from './keepCopies.ts';

const options: Record<string, number> = { seed: 1, messages: 100_000 };
const [, , ...args] = process.argv;
for (let i = 0; i < args.length; i += 2) {
  const name = (args[i] ?? '').replace(/^--/, '');
  const value = Number(args[i + 1]);
  if (!Object.hasOwn(options, name) || !Number.isSafeInteger(value)) {
    process.stderr.write('usage: runLocalCopies.ts [--seed N] [--messages N]\n');
    process.exit(2);
  }
  options[name] = value;
}
const { messages, drops, resumed, resets } = await keepCopies(options.seed!, options.messages!);
process.stdout.write(
  `${messages} messages, ${drops} connections dropped, ${resumed} channels resumed, ` +
    `${resets} of them begun anew; no gap, and every copy equals the state\n`,
);
