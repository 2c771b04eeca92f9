// What the page knows of its deployment from its own text (gateway/pages/pageHtml.ts).

export type Facts = {
  readonly chainId: number;
  readonly chainName: string;
  readonly version: string;
  /** Whether the money is play money: a guest wallet and the faucet exist only there. */
  readonly isTestnet: boolean;
};

export function readFacts(content: (name: string) => string | undefined): Facts {
  return {
    chainId: Number(content('evermark-chain') ?? 0),
    chainName: content('evermark-chain-name') ?? '',
    version: content('evermark-version') ?? '',
    isTestnet: content('evermark-money') !== 'real',
  };
}
