// The funding rate in progress, and how long until it is paid. Without open interest there is none:
// no position would pay it.

import { usePage } from '../components/usePage.tsx';
import { plainText, scaledOf } from '../state/grid.ts';

export function FundingCountdown({ hasInterest }: { hasInterest: boolean }) {
  const { feed, now } = usePage();
  const prices = feed.value?.prices.value;
  if (prices === undefined) return <>–</>;
  const { funding_rate, next_funding_time } = prices;
  const left = Math.max(0, Math.floor((next_funding_time - now.value) / 1000));
  const rate = scaledOf(funding_rate, 6);
  const tone = rate === 0n ? '' : rate < 0n ? 'down' : 'up';
  return (
    <>
      <span class={tone}>{rate === 0n && !hasInterest ? '–' : percentOf(rate)}</span>{' '}
      {clockText(left)}
    </>
  );
}

/** Millionths as a percentage with four decimals. */
const percentOf = (rate: bigint): string => `${plainText(rate, 4)}%`;

const two = (value: number): string => String(value).padStart(2, '0');

const clockText = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
