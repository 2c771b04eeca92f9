// What the probe of the liquidation keeper shows (OPS-3), made of how the chain service stands.

import type { ChainStanding, LiquidationReport } from '../api/deployment.ts';

const noSubmissions = { pending: 0, submitted: 0, confirmed: 0, failed: 0 };

/** Enabled: this process has a gas account, and the vault lets it report. */
export function liquidationReport(
  standing: Pick<ChainStanding, 'keeper' | 'block' | 'gasAccount'> | undefined,
): LiquidationReport {
  const { keeper = null, block = null, gasAccount = null } = standing ?? {};
  if (keeper === null || !keeper.isKeeper) {
    return {
      ...{ enabled: false, keeperAddress: null, lastBlock: block },
      submissions: noSubmissions,
    };
  }
  const { pending, submitted, confirmed, failed } = keeper;
  const submissions = { pending, submitted, confirmed, failed };
  return { enabled: true, keeperAddress: gasAccount, lastBlock: block, submissions };
}
