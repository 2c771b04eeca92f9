// The chart of the chosen market: candles of trades, mark or index with the account's lines, the
// depth of the book, or the funding that was settled.

import type { Signal } from '@preact/signals';
import { useId, useState } from 'preact/hooks';
import { type Interval, intervals } from '../../units/interval.ts';
import { lazily } from '../components/lazily.tsx';
import { usePage } from '../components/usePage.tsx';
import { keptSignal } from '../state/keptSignal.ts';
import type { Market } from '../state/market.ts';
import type { Page } from '../state/page.ts';
import { type CandleKind, CandleView, candleKinds } from './CandleView.tsx';
import './chart.css';
import { chartMessages } from './chartMessages.ts';

const usualInterval: Interval = '15m';
const views = ['candles', 'depth', 'funding'] as const;
type View = (typeof views)[number];

/** What the person has chosen stays in the browser. */
function keptChoices({ options: { store } }: Page) {
  const one = <T extends string>(name: string, values: readonly T[], usual: T): Signal<T> =>
    keptSignal(store, name, (kept) => values.find((each) => each === kept) ?? usual);
  return {
    interval: one('evermark.interval', intervals, usualInterval),
    kind: one<CandleKind>('evermark.candles', candleKinds, 'trade'),
    view: one<View>('evermark.chart', views, 'candles'),
  };
}

export function Chart() {
  const page = usePage();
  const [choices] = useState(() => keptChoices(page));
  const text = chartMessages();
  const market = page.feed.value?.market;
  const [view, interval, kind] = [choices.view.value, choices.interval.value, choices.kind.value];
  const clock = page.preferences.clock.value;
  return (
    <section class="panel chart" aria-label={text.chart}>
      <div class="panel-head chart-head">
        {view === 'candles' && <Intervals chosen={choices.interval} />}
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
      {market !== undefined && view === 'candles' && (
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

function Intervals({ chosen }: { chosen: Signal<Interval> }) {
  return (
    <fieldset class="intervals" aria-label={chartMessages().interval}>
      {intervals.map((each) => (
        <button
          key={each}
          type="button"
          class="interval"
          aria-pressed={each === chosen.value}
          onClick={() => {
            chosen.value = each;
          }}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}

type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly of: Signal<T>;
  readonly values: readonly T[];
  readonly names: Readonly<Record<T, string>>;
};

function Choice<T extends string>({ label, of, values, names }: ChoiceProps<T>) {
  return (
    <select
      id={useId()}
      class="select"
      aria-label={label}
      value={of.value}
      onChange={(event) => {
        of.value = event.currentTarget.value as T;
      }}
    >
      {values.map((value) => (
        <option key={value} value={value}>
          {names[value]}
        </option>
      ))}
    </select>
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
