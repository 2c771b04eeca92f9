// Opens a listener, or says in a sentence why it cannot be opened.

/** Waits for a listener. When it cannot be opened, the error names the listener and the reason. */
export async function listening<Result>(
  prefix: '' | 'operator-' | 'link-',
  { host, port }: { readonly host: string; readonly port: number },
  listen: Promise<Result>,
): Promise<Result> {
  try {
    return await listen;
  } catch (error) {
    const who = served[prefix];
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(
      `${who} cannot be served at --${prefix}host ${host}, --${prefix}port ${port}: ` +
        `${listenFaults.get(code) ?? message} (${code}).`,
    );
  }
}

const served = { '': 'Clients', 'operator-': 'The operator', 'link-': 'Other processes' } as const;

const listenFaults: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program has this port; stop it, or take another port'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'no such host name is known'],
  ['EACCES', 'this user may not listen there; ports below 1024 are the system’s'],
]);
