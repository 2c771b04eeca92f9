// The tables at the bottom, in their order. A new table is a file and an entry here. Those of the
// past are loaded when they are chosen first.

import { lazily } from '../components/lazily.tsx';
import type { TableTab } from './accountTable.tsx';
import { ordersTable } from './ordersTable.tsx';
import { positionsTable } from './positionsTable.tsx';
import { tableMessages } from './tableMessages.ts';

export const tableTabs: readonly TableTab[] = [
  positionsTable,
  ordersTable,
  {
    id: 'fills',
    title: () => tableMessages().fills,
    hasMarkets: true,
    Content: lazily(async () => (await import('./fillsTable.tsx')).fillsTable),
  },
  {
    id: 'orderHistory',
    title: () => tableMessages().orderHistory,
    hasMarkets: true,
    Content: lazily(async () => (await import('./orderHistoryTable.tsx')).orderHistoryTable),
  },
  {
    id: 'triggerHistory',
    title: () => tableMessages().triggerHistory,
    hasMarkets: true,
    Content: lazily(async () => (await import('./triggerHistoryTable.tsx')).triggerHistoryTable),
  },
  {
    id: 'funding',
    title: () => tableMessages().funding,
    hasMarkets: true,
    Content: lazily(async () => (await import('./fundingTable.tsx')).fundingTable),
  },
  {
    id: 'ledger',
    title: () => tableMessages().ledger,
    hasMarkets: true,
    Content: lazily(async () => (await import('./ledgerTable.tsx')).ledgerTable),
  },
  {
    id: 'transfers',
    title: () => tableMessages().transfers,
    Content: lazily(async () => (await import('./transfersTable.tsx')).transfersTable),
  },
];
