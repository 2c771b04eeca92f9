// The funding that was settled in a market, as a column for each boundary.

import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import type { Market } from '../state/market.ts';
import { createPublicRequests } from '../state/publicRequests.ts';
import { shownOffsetSeconds } from '../state/timeText.ts';
import { chartColours } from './chartColours.ts';
import { chartViewMessages } from './chartViewMessages.ts';
import { drawFunding } from './drawFunding.ts';

const boundariesAsked = 500;

export function FundingView({ market }: { market: Market }) {
  const page = usePage();
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState(() => chartViewMessages().fundingLoading);
  const { options, preferences } = page;
  const look = `${preferences.theme.value} ${preferences.palette.value}`;
  const clock = preferences.clock.value;
  const text = chartViewMessages();
  useEffect(() => {
    let isClosed = false;
    let close = (): void => {};
    const { origin: baseUrl, fetch } = options;
    const requests = createPublicRequests({ baseUrl, fetch });
    requests.getFundingRate({ symbol: market.symbol, limit: boundariesAsked }).then(
      (rows) => {
        if (isClosed) return;
        setSaid(rows.length === 0 ? chartViewMessages().noFunding : '');
        close = drawFunding(place.current!, {
          colours: chartColours(document.documentElement),
          // Percent.
          columns: rows.map(({ fundingRate, fundingTime }) => ({
            time: fundingTime / 1000 + shownOffsetSeconds(fundingTime, clock),
            value: Number(fundingRate) * 100,
          })),
        });
      },
      (error: unknown) => {
        if (!isClosed) setSaid(failureText(error));
      },
    );
    return () => {
      isClosed = true;
      close();
    };
  }, [page, market.symbol, look, clock]);
  return (
    <>
      <div
        class="chart-place"
        ref={place}
        role="img"
        aria-label={text.fundingPicture(market.symbol)}
      />
      <span class="chart-title muted">{text.fundingRate}</span>
      {said !== '' && <p class="chart-state muted">{said}</p>}
    </>
  );
}
