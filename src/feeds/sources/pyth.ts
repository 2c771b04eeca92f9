// Contracts of the Pyth kind: one contract has the prices of many feeds, each under an id of 32
// bytes, with a confidence interval.

import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import { type ContractOracle, fixedPointText, type Hex, refusedPrice } from './contractOracle.ts';

export const pythAbi = parseAbi([
  'struct Price { int64 price; uint64 conf; int32 expo; uint256 publishTime; }',
  'function getPriceUnsafe(bytes32 id) view returns (Price price)',
]);

/** A price with a confidence interval wider than this part of it does not count: 1 %. */
const confidenceDivisor = 100n;

/**
 * The feed `id` of the contract at `target`. "Unsafe" means that the reader must check the price's
 * age; contractFeed.ts does so.
 *
 * price = price × 10^expo
 */
export function pyth(target: Hex, id: Hex): ContractOracle {
  const abi = pythAbi;
  const functionName = 'getPriceUnsafe';
  return {
    calls: [{ target, data: encodeFunctionData({ abi, functionName, args: [id] }) }],
    read: ([returned]) => {
      const { price, conf, expo, publishTime } = decodeFunctionResult({
        abi,
        functionName,
        data: returned!,
      });
      if (price <= 0n) return refusedPrice('its price is zero or negative');
      if (publishTime === 0n) return refusedPrice('it has never been published');
      if (conf * confidenceDivisor > price) {
        return refusedPrice('its confidence interval is over 1 % of the price');
      }
      const text = fixedPointText(price, -expo);
      const at = Number(publishTime);
      if (text === undefined || !Number.isSafeInteger(at)) {
        return refusedPrice('its figures are out of range');
      }
      return { kind: 'price', price: text, updatedAt: at };
    },
  };
}
