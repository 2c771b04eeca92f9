// The tables at the bottom, in their order. A new table is a file and an entry here.

import type { TableTab } from './accountTable.tsx';
import { fillsTable } from './fillsTable.tsx';
import { fundingTable } from './fundingTable.tsx';
import { ledgerTable } from './ledgerTable.tsx';
import { orderHistoryTable } from './orderHistoryTable.tsx';
import { ordersTable } from './ordersTable.tsx';
import { positionsTable } from './positionsTable.tsx';
import { transfersTable } from './transfersTable.tsx';

export const tableTabs: readonly TableTab[] = [
  positionsTable,
  ordersTable,
  fillsTable,
  orderHistoryTable,
  fundingTable,
  ledgerTable,
  transfersTable,
];
