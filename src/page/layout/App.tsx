// The page as a grid of its parts; on a phone one part at a time, chosen at the lower edge.

import { useState } from 'preact/hooks';
import { OrderBook } from '../book/OrderBook.tsx';
import { TradeList } from '../book/TradeList.tsx';
import { Chart } from '../chart/Chart.tsx';
import { usePage } from '../components/usePage.tsx';
import { MarketBar } from '../market/MarketBar.tsx';
import { AccountTables } from '../tables/AccountTables.tsx';
import { AccountSummary } from '../ticket/AccountSummary.tsx';
import { Ticket } from '../ticket/Ticket.tsx';
import './app.css';
import { AccountNotices } from './AccountNotices.tsx';
import { Footer } from './Footer.tsx';
import { layoutMessages } from './layoutMessages.ts';
import { TablesEdge } from './TablesEdge.tsx';
import { TopBar } from './TopBar.tsx';

/** What a phone shows at a time. */
const views = ['chart', 'book', 'trade', 'account'] as const;
type View = (typeof views)[number];

export function App() {
  const [view, setView] = useState<View>('trade');
  const { hiddenParts } = usePage().preferences;
  const text = layoutMessages();
  return (
    <div class="app" data-view={view} data-hidden={hiddenParts.value.join(' ')}>
      <TopBar />
      <main class="grid">
        <h1 class="hidden-text">Evermark</h1>
        <MarketBar />
        <Chart />
        <OrderBook onPick={() => setView('trade')} />
        <TradeList />
        <div class="side">
          <Ticket />
          <AccountSummary />
        </div>
        <TablesEdge />
        <AccountTables />
      </main>
      <Footer />
      <nav class="phone-views" aria-label={text.views}>
        {views.map((each) => (
          <button
            key={each}
            type="button"
            aria-current={each === view ? 'page' : undefined}
            onClick={() => setView(each)}
          >
            {text.view[each]}
          </button>
        ))}
      </nav>
      <AccountNotices />
    </div>
  );
}
