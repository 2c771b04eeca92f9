// Aggregators of the Chainlink kind: latestRoundData and decimals of one contract for each symbol.

import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import { type ContractOracle, fixedPointText, type Hex, refusedPrice } from './contractOracle.ts';

export const aggregatorAbi = parseAbi([
  // roundId, answer, startedAt, updatedAt, answeredInRound
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function decimals() view returns (uint8)',
]);

/**
 * The aggregator, or its proxy, at `target`. The decimals are read with every answer, because a
 * proxy can switch to an aggregator with other decimals.
 *
 * price = answer / 10^decimals
 */
export function chainlink(target: Hex): ContractOracle {
  const abi = aggregatorAbi;
  const call = (functionName: 'latestRoundData' | 'decimals') => ({
    target,
    data: encodeFunctionData({ abi, functionName }),
  });
  return {
    calls: [call('latestRoundData'), call('decimals')],
    read: ([round, places]) => {
      const [roundId, answer, , updatedAt, answeredInRound] = decodeFunctionResult({
        abi,
        functionName: 'latestRoundData',
        data: round!,
      });
      const decimals = decodeFunctionResult({ abi, functionName: 'decimals', data: places! });
      if (answer <= 0n) return refusedPrice('its price is zero or negative');
      if (updatedAt === 0n) return refusedPrice('its round is not complete');
      if (answeredInRound < roundId) return refusedPrice('it carries over an older round');
      const price = fixedPointText(answer, decimals);
      const at = Number(updatedAt);
      if (price === undefined || !Number.isSafeInteger(at)) {
        return refusedPrice('its figures are out of range');
      }
      return { kind: 'price', price, updatedAt: at };
    },
  };
}
