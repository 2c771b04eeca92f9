// The funding rate in progress, and how long until it is paid.

import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { plainText, scaledOf } from '../state/grid.ts';

type Funding = { readonly symbol: string; readonly rate: string; readonly at: number };

/** The rate moves with open interest; so often is enough for what is paid hours later. */
const readMs = 15_000;

export function FundingCountdown({ symbol }: { symbol: string }) {
  const { requests, now } = usePage();
  const [funding, setFunding] = useState<Funding>();
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      try {
        const { funding_rate, next_funding_time } = await requests.getNativeFundingRate({ symbol });
        if (!isOver) setFunding({ symbol, rate: funding_rate, at: next_funding_time });
      } catch {
        // The last figure stays until the next try.
      }
    };
    void read();
    const timer = setInterval(() => void read(), readMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [symbol, requests]);
  if (funding?.symbol !== symbol) return <>–</>;
  const left = Math.max(0, Math.floor((funding.at - now.value) / 1000));
  const tone = funding.rate.startsWith('-') ? 'down' : 'up';
  return (
    <>
      <span class={tone}>{percentOf(funding.rate)}</span> {clockText(left)}
    </>
  );
}

/** A rate as a percentage with four decimals. */
const percentOf = (rate: string): string => `${plainText(scaledOf(rate, 6), 4)}%`;

const two = (value: number): string => String(value).padStart(2, '0');

const clockText = (seconds: number): string =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
