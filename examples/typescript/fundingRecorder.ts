// Writes funding as CSV: first what was settled, then the rate of the running interval once a second.
//
//   node fundingRecorder.ts http://127.0.0.1:8080 BTCUSDT 60 > funding.csv

import { createClient } from '@evermark/client';
import { pause, readSetting } from './setting.ts';

const { baseUrl, symbol, duration } = readSetting();
const client = createClient({ baseUrl });
const until = Date.now() + duration;

const write = (...fields: readonly (string | number)[]): void => console.log(fields.join(','));

write('kind', 'time', 'symbol', 'rate', 'mark');
for (const row of await client.fapi.getFundingRate({ symbol, limit: 100 })) {
  write('settled', new Date(row.fundingTime).toISOString(), symbol, row.fundingRate, row.markPrice);
}
do {
  const rate = await client.native.getNativeFundingRate({ symbol });
  write('running', new Date(rate.time).toISOString(), symbol, rate.funding_rate, rate.mark_price);
  await pause(1000);
} while (Date.now() < until);
