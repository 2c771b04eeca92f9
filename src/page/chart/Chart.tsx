// The chart of the chosen market: candles of trades, mark or index with the account's lines, the
// depth of the book, or the funding that was settled.

import type { Signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { type Interval, intervals } from '../../units/interval.ts';
import { Choice } from '../components/Choice.tsx';
import { lazily } from '../components/lazily.tsx';
import { usePage } from '../components/usePage.tsx';
import { keptSignal } from '../state/keptSignal.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { type CandleKind, CandleView, candleKinds } from './CandleView.tsx';
import './chart.css';
import { chartMessages } from './chartMessages.ts';

/** A market younger than this has too few candles of the longer interval. */
const youngMs = 6 * 3_600_000;

/** Until the person chooses one. */
function usualInterval({ serverClock }: Page, { record }: Market): Interval {
  return serverClock.now() - record.onboard_date < youngMs ? '1m' : '15m';
}

const views = ['candles', 'depth', 'funding'] as const;
type View = (typeof views)[number];

/** What the person has chosen stays in the browser. */
function keptChoices({ options: { store } }: Page) {
  const one = <T extends string>(name: string, values: readonly T[], usual: T): Signal<T> =>
    keptSignal(store, name, (kept) => values.find((each) => each === kept) ?? usual);
  return {
    /** Undefined until the person has chosen one. */
    interval: keptSignal<Interval | undefined>(store, 'evermark.interval', (kept) =>
      intervals.find((each) => each === kept),
    ),
    kind: one<CandleKind>('evermark.candles', candleKinds, 'trade'),
    view: one<View>('evermark.chart', views, 'candles'),
  };
}

export function Chart() {
  const page = usePage();
  const [choices] = useState(() => keptChoices(page));
  const text = chartMessages();
  const market = page.feed.value?.market;
  const [view, kind, chosen] = [choices.view.value, choices.kind.value, choices.interval.value];
  // The age of a market grows; the chart does not change by itself.
  const usual = useMemo(() => market && usualInterval(page, market), [page, market?.symbol]);
  const interval = chosen ?? usual;
  const clock = page.preferences.clock.value;
  return (
    <section class="panel chart" aria-label={text.chart}>
      <div class="panel-head chart-head">
        {view === 'candles' && (
          <Intervals
            shown={interval}
            onChoose={(each) => {
              choices.interval.value = each;
            }}
          />
        )}
        <span class="chart-choices">
          {view === 'candles' && (
            <Choice
              label={text.source}
              of={choices.kind}
              values={candleKinds}
              names={text.sources}
            />
          )}
          <Choice label={text.view} of={choices.view} values={views} names={text.views} />
        </span>
      </div>
      {market !== undefined && interval !== undefined && view === 'candles' && (
        <CandleView
          key={`${market.symbol} ${interval} ${kind} ${clock}`}
          market={market}
          interval={interval}
          kind={kind}
        />
      )}
      {market !== undefined && view !== 'candles' && (
        <Later key={`${market.symbol} ${view} ${clock}`} view={view} market={market} />
      )}
    </section>
  );
}

type IntervalsProps = {
  readonly shown: Interval | undefined;
  readonly onChoose: (interval: Interval) => void;
};

function Intervals({ shown, onChoose }: IntervalsProps) {
  return (
    <fieldset class="intervals" aria-label={chartMessages().interval}>
      {intervals.map((each) => (
        <button
          key={each}
          type="button"
          class="interval"
          aria-pressed={each === shown}
          onClick={() => onChoose(each)}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}

type ViewProps = { readonly market: Market };

const laterViews = {
  depth: lazily<ViewProps>(async () => (await import('./DepthView.tsx')).DepthView),
  funding: lazily<ViewProps>(async () => (await import('./FundingView.tsx')).FundingView),
} as const;

function Later({ view, market }: ViewProps & { readonly view: keyof typeof laterViews }) {
  const Shown = laterViews[view];
  return (
    <div class="chart-body">
      <Shown market={market} />
    </div>
  );
}
