// The tables of the account, one at a time, of all markets or of one.

import { useId, useRef, useState } from 'preact/hooks';
import { Tabs } from '../components/Tabs.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { tradingMessages } from '../messages/tradingMessages.ts';
import { loadPart } from '../state/loadPart.ts';
import type { Page } from '../state/page.ts';
import type { TabContentProps } from './accountTable.tsx';
import { tableMessages } from './tableMessages.ts';
import { tableTabs } from './tableTabs.ts';
import './tables.css';

export function AccountTables() {
  const page = usePage();
  const [chosen, setChosen] = useState('positions');
  const [symbol, setSymbol] = useState('');
  const csv: TabContentProps['csv'] = useRef(undefined);
  const panel = useId();
  const text = tableMessages();
  const tab = tableTabs.find(({ id }) => id === chosen);
  const hasMarkets = tab?.hasMarkets === true;
  const save = (): void => {
    const write = csv.current;
    if (write !== undefined) void saveCsv(page, `evermark-${chosen}.csv`, write);
    else page.notices.say({ kind: 'plain', title: tableMessages().nothingToSave, text: '' });
  };
  return (
    <section class="panel tables" aria-label={text.tables}>
      <div class="panel-head">
        <Tabs
          label={text.tables}
          items={tableTabs.map(({ id, title, count }) => ({
            id,
            label: title(),
            count: count?.(page),
          }))}
          chosen={chosen}
          onChoose={setChosen}
          panel={panel}
        />
        {page.session.login.value !== undefined && (
          <div class="tables-acts">
            {tab?.Acts !== undefined && <tab.Acts symbol={hasMarkets ? symbol : ''} />}
            {hasMarkets && <MarketChoice symbol={symbol} onChoose={setSymbol} />}
            <button type="button" class="button-small" title={text.csv} onClick={save}>
              CSV
            </button>
          </div>
        )}
      </div>
      <div class="panel-body" role="tabpanel" id={panel} aria-label={tab?.title()}>
        {tab !== undefined && (
          <tab.Content key={chosen} symbol={hasMarkets ? symbol : ''} csv={csv} />
        )}
      </div>
    </section>
  );
}

type Written = Exclude<TabContentProps['csv']['current'], undefined>;

/** What writes and saves is loaded now. */
async function saveCsv({ options, notices }: Page, name: string, written: Written): Promise<void> {
  try {
    const [{ csvOf }, { saveText }] = await loadPart(options, () =>
      Promise.all([import('../components/csvOf.ts'), import('../components/saveText.ts')]),
    );
    saveText(name, written(csvOf));
  } catch (error) {
    notices.say({ kind: 'bad', title: failureText(error), text: '' });
  }
}

type MarketChoiceProps = { readonly symbol: string; readonly onChoose: (symbol: string) => void };

function MarketChoice({ symbol, onChoose }: MarketChoiceProps) {
  const { markets } = usePage();
  return (
    <select
      name="rows-of-market"
      class="select"
      aria-label={tableMessages().ofMarket}
      value={symbol}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{tradingMessages().allMarkets}</option>
      {markets.value.map((market) => (
        <option key={market.symbol} value={market.symbol}>
          {market.symbol}
        </option>
      ))}
    </select>
  );
}
