// The tables at the bottom, in their order. A new table is a file and an entry here.

import type { TableTab } from './accountTable.tsx';
import { fillsTable } from './fillsTable.tsx';
import { ordersTable } from './ordersTable.tsx';
import { positionsTable } from './positionsTable.tsx';

export const tableTabs: readonly TableTab[] = [positionsTable, ordersTable, fillsTable];
