// The short names of the chains for which a deployment can run (spec, Deployments; OPS-3).

export const chainNames: Readonly<Record<number, string>> = {
  43114: 'avalanche',
  42161: 'arbitrum',
  56: 'bsc',
  43113: 'fuji',
  421614: 'arbitrum-sepolia',
};
