// What every example reads from the environment and the command line.

export type Setting = {
  /** For example http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The same address for the channels. */
  readonly socketUrl: string;
  readonly symbol: string;
  /** Milliseconds after which the example ends by itself. */
  readonly duration: number;
};

/** `node EXAMPLE.ts [BASE [SYMBOL [SECONDS]]]` */
export function readSetting(): Setting {
  const [base = 'http://127.0.0.1:8080', symbol = 'BTCUSDT', seconds = '60'] =
    process.argv.slice(2);
  const baseUrl = base.replace(/\/$/, '');
  return {
    baseUrl,
    socketUrl: baseUrl.replace(/^http/, 'ws'),
    symbol,
    duration: Number(seconds) * 1000,
  };
}

/** The key and the secret of an account; the banner of a demo shows both. */
export function readKey(): { readonly apiKey: string; readonly secretKey: string } {
  const { KEY: apiKey, SECRET: secretKey } = process.env;
  if (apiKey === undefined || secretKey === undefined)
    throw new Error('KEY and SECRET are missing');
  return { apiKey, secretKey };
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
