// Loads a part of the page that most visits do not need at once. A browser does not say why a part
// could not be had, and asks for it again only when the page is loaded again: this finds out what
// the person can do.

/** `renewed`: the exchange serves another version of the page, which has other parts. */
export type PartProblem = 'renewed' | 'unreachable' | 'broken';

export class PartError extends Error {
  readonly problem: PartProblem;

  constructor(problem: PartProblem) {
    super(`a part of the page was not loaded: ${problem}`);
    this.problem = problem;
  }
}

type Asking = {
  readonly origin: string;
  readonly fetch: typeof fetch;
  /** The file of this program, as the shell of its version names it. */
  readonly program: string;
};

/** Rejects with a `PartError`. */
export async function loadPart<Part>(asking: Asking, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    throw new PartError(await problemOf(asking));
  }
}

async function problemOf({ origin, fetch: send, program }: Asking): Promise<PartProblem> {
  try {
    const response = await send(`${origin}/`, { cache: 'no-store' });
    if (!response.ok) return 'unreachable';
    return (await response.text()).includes(program) ? 'broken' : 'renewed';
  } catch {
    return 'unreachable';
  }
}
