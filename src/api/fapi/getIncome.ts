// GET /fapi/v1/income (conventions, 10.4; BAL-3): profit and loss, fees and funding of the ledger.
// The whole ledger is on the native surface (GET /api/v1/ledger).

import { type Static, Type } from 'typebox';
import type { LedgerKind, ReportedLedgerRow } from '../../history/rows.ts';
import { formatUuid } from '../../units/uuid.ts';
import {
  assetText,
  decimalText,
  exactObject,
  idText,
  orEmpty,
  symbolText,
  timeNumber,
  wholeText,
  wordsText,
} from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { moneyText } from '../grid.ts';
import { hasFailed } from '../historyPort.ts';
import { answerJson, callerOf, defineProcedure } from '../operation.ts';
import { marketOf } from '../orderAnswer.ts';
import { integerParameter, optional, symbolParameter, textParameter } from '../parameterSchema.ts';
import { collateralAsset } from './collateralAsset.ts';
import { limitParameter, timeParameters, windowOf } from './windowOf.ts';

const bounds = { normal: 100, most: 1000 };
const pageMax = 1_000_000_000;
/** A page is found by reading the rows before it: no page ends deeper than this. */
export const incomeRowsMax = 10_000;
const typeLengthMax = 100;

const incomeTypes = ['REALIZED_PNL', 'FUNDING_FEE', 'COMMISSION'] as const;
type IncomeType = (typeof incomeTypes)[number];

/** The kinds of ledger rows that each income type shows. */
const kindsOf: ReadonlyMap<string, readonly LedgerKind[]> = new Map([
  ['REALIZED_PNL', ['realized_pnl', 'settlement']],
  ['FUNDING_FEE', ['funding']],
  ['COMMISSION', ['fee']],
]);

const incomeSchema = exactObject({
  symbol: symbolText(),
  incomeType: wordsText(incomeTypes),
  income: decimalText('Negative when paid.'),
  asset: assetText(),
  info: wordsText(incomeTypes, 'The incomeType again.'),
  time: timeNumber(),
  tranId: idText(),
  /** Empty when there was no trade. */
  tradeId: orEmpty(wholeText()),
});

export const getIncome = defineProcedure({
  name: 'getIncome',
  surface: 'fapi',
  method: 'GET',
  path: '/fapi/v1/income',
  auth: 'key',
  weight: 30,
  summary: 'Profit and loss, fees and funding, ascending; the latest unless asked.',
  parameters: Type.Object({
    symbol: optional(symbolParameter()),
    incomeType: optional(
      textParameter({
        lengthMax: typeLengthMax,
        description: 'REALIZED_PNL, FUNDING_FEE or COMMISSION; of another type there is nothing.',
      }),
    ),
    ...timeParameters,
    page: optional(
      integerParameter({
        min: 1,
        max: pageMax,
        description:
          'From 1; without startTime page 1 is the latest. ' +
          `page × limit: ${incomeRowsMax} at most.`,
      }),
    ),
    limit: limitParameter(bounds.normal, bounds.most),
  }),
  failures: ['parameterIllegal', 'databaseFailed'],
  response: Type.Array(incomeSchema),
  procedure: async (context, { incomeType, page = 1, ...sent }) => {
    const { deployment } = context;
    const kinds = incomeType === undefined ? [...kindsOf.values()].flat() : kindsOf.get(incomeType);
    const window = windowOf(sent, bounds);
    if (page * window.limit > incomeRowsMax) return { reason: 'parameterIllegal', name: 'page' };
    if (kinds === undefined) return answerJson([]);
    const asked = { ...window, account: callerOf(context).id, kinds, page };
    const rows = await deployment.history.income(asked);
    if (hasFailed(rows)) return rows;
    return answerJson(rows.map((row) => incomeRecord(deployment, row)));
  },
});

function incomeRecord(deployment: Deployment, row: ReportedLedgerRow): Static<typeof incomeSchema> {
  const incomeType = typeOf(row.kind);
  return {
    symbol: marketOf(deployment, row).symbol,
    incomeType,
    income: moneyText(row.amount),
    asset: collateralAsset,
    info: incomeType,
    time: row.time,
    tranId: tranIdOf(row),
    tradeId: row.tradeId === 0 ? '' : String(row.tradeId),
  };
}

/**
 * The id of the event. In a trade of an account with itself, the maker's rows get another id,
 * because an id must name one row.
 */
function tranIdOf({ time, event, second }: ReportedLedgerRow): string {
  const id = formatUuid(time, event);
  return second === 0 ? id : `${id.slice(0, -1)}1`;
}

function typeOf(kind: LedgerKind): IncomeType {
  if (kind === 'funding') return 'FUNDING_FEE';
  return kind === 'fee' ? 'COMMISSION' : 'REALIZED_PNL';
}
