// Separates the words of a subcommand from its flags; words come first.

export type SplitArguments = { readonly words: readonly string[]; readonly flags: string[] };

export function splitArguments(args: readonly string[]): SplitArguments {
  const first = args.findIndex((argument) => argument.startsWith('--'));
  const end = first < 0 ? args.length : first;
  return { words: args.slice(0, end), flags: args.slice(end) };
}
