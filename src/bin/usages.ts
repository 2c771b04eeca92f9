// How to type every subcommand, and what it does: the words of its help, and of the error about a
// call that it cannot read.

import { rateTiers } from '../engine/marginModes.ts';

export type Usage = {
  readonly does: string;
  /** Without the program's name and without the flags of its kind. */
  readonly typed: string;
  /** What it uses: settings, a data directory, or a running exchange. */
  readonly takes: 'settings' | 'data' | 'operator';
  /** One more sentence. */
  readonly note?: string;
};

export type SubcommandName = keyof typeof usages;

export const usages = {
  start: { does: 'runs the exchange', typed: 'start', takes: 'settings' },
  credit: {
    does: 'gives an account USDT, once per reference; corrects a credit',
    typed: 'credit ADDRESS AMOUNT REFERENCE | credit correct ADDRESS CREDIT AMOUNT REFERENCE',
    takes: 'operator',
    note: 'correct: makes the credit with the reference CREDIT smaller, and takes the rest back.',
  },
  accounts: {
    does: 'changes flags of an account',
    typed: 'accounts ADDRESS [--house true|false] [--fee-tier N]',
    takes: 'operator',
  },
  keys: {
    does: 'changes the rate tier of an API key',
    typed: `keys tier API_KEY ${rateTiers.join('|')}`,
    takes: 'operator',
  },
  markets: {
    does: 'shows, lists and changes markets; derives brackets that fit a fund',
    typed:
      'markets [list NAME=VALUE… | change SYMBOL NAME=VALUE…] [--file RECORD.json]' +
      ' | markets brackets SYMBOL --fund USDT --gap RATE',
    takes: 'operator',
    note:
      'Confirm a dangerous change with expected_NAME=VALUE, as the refusal says. brackets: ' +
      'prints a RECORD.json for change, and explains it on standard error; RATE 0.05 is 5 %.',
  },
  price: {
    does: 'sets or withdraws an index price by hand (source manual)',
    typed: 'price SYMBOL PRICE|none [--expect INDEX]',
    takes: 'operator',
    note: 'INDEX is the present price. It confirms a far price or one that liquidates accounts.',
  },
  funding: {
    does: "settles a market's funding now",
    typed: 'funding SYMBOL',
    takes: 'operator',
  },
  fund: {
    does: 'gives the insurance fund USDT, once per reference',
    typed: 'fund credit AMOUNT REFERENCE',
    takes: 'operator',
  },
  withdrawals: {
    does: 'lists, completes and releases withdrawals',
    typed: 'withdrawals [complete ID | release ID] [--limit N]',
    takes: 'operator',
  },
  chain: {
    does: 'shows and binds the vault, sets the terms of withdrawals, signs, pays, leaves by hand',
    typed:
      'chain [status] | chain bind ADDRESS --rpc URL,URL,URL --block N | ' +
      'chain terms [--min USDT] [--fee USDT] | chain signer new|show|secret FILE | ' +
      'chain signer serve SIGNER --data DIR --secret FILE --state DIR [--cap USDT] ' +
      '[--host ADDRESS] [--port N] | chain pay prepare FILE [ID...] --data DIR | ' +
      'chain pay sign FILE SIGNER... --data DIR | ' +
      'chain pay send FILE... --rpc URL,URL,URL --key FILE | ' +
      'chain deploy SETUP.json --rpc URL,URL,URL --key FILE | ' +
      'chain pause|unpause VAULT --rpc URL,URL,URL --key FILE | ' +
      'chain cancel VAULT ID... --rpc URL,URL,URL --key FILE | ' +
      'chain exit TREEFILE --vault ADDRESS --rpc URL,URL,URL --wallet ADDRESS [--key FILE] ' +
      '[--register ADDRESS,...]',
    takes: 'operator',
    note:
      'bind: for ever, before any money came. N: the block in which the vault was deployed. ' +
      'signer, pay, deploy, pause, unpause, cancel and exit need no running exchange; --key: of ' +
      'the account that pays the gas, of a guardian (pause, cancel), of the administrator ' +
      '(unpause). exit: what a wallet gets without the exchange, by the published TREEFILE; with ' +
      '--key the transactions are sent, else printed. ' +
      'SIGNER: a file with a key (testnets), web3signer:URL#ADDRESS, or for pay ' +
      'peer:URL#ADDRESS:SECRETFILE; env:VARIABLE where one of them has a password. serve: signs ' +
      'for others what the log in --data has open, at most --cap within an hour, and keeps in ' +
      '--state what it has signed.',
  },
  fees: {
    does: 'shows or replaces the table of fee tiers',
    typed: 'fees [show | FILE.json]',
    takes: 'operator',
  },
  referral: {
    does: 'shows or changes the terms of referral',
    typed: 'referral [on | off] [--discount RATE] [--share RATE]',
    takes: 'operator',
    note: 'RATE 0.04 is 4 %. The terms hold at once and for every binding.',
  },
  snapshot: { does: 'takes a snapshot now', typed: 'snapshot', takes: 'operator' },
  'state-hash': {
    does: 'position and hashes of the state',
    typed: 'state-hash',
    takes: 'operator',
  },
  invariants: {
    does: 'checks every invariant of a running exchange',
    typed: 'invariants',
    takes: 'operator',
  },
  verify: {
    does: 'replays a data directory and checks it',
    typed: 'verify [--reports [FILE]] [--anchors]',
    takes: 'data',
    note:
      'DATABASE_URL is set as for the exchange. --reports compares the reports of the ' +
      'liquidation keeper, from --vault and --rpc or from a file with a list. --anchors compares ' +
      'the published trees of what is owed and, with --vault and --rpc, the anchors of the vault.',
  },
  inspect: { does: 'prints batches of the log', typed: 'inspect FROM [TO]', takes: 'data' },
  history: {
    does: 'writes history anew from the log, while nothing runs',
    typed: 'history rebuild',
    takes: 'data',
    note: 'DATABASE_URL is set as for the exchange.',
  },
  log: {
    does: 'skips a command that stops every start, archives segments',
    typed: 'log skip POSITION INDEX|batch [--unproven] | log archive',
    takes: 'data',
    note: 'Stop the exchange before you skip a command; archiving may run beside it.',
  },
  cluster: {
    does: 'shows the log in PostgreSQL and its processes, makes its tables, copies a log there',
    typed:
      'cluster [make | copy | handover [PROCESS] | rescue [BATCH] | archive DIR | check DIR | ' +
      'remove DIR | fetch DIR] [--replicated-storage]',
    takes: 'data',
    note:
      'EVERMARK_CLUSTER_URL names the servers. make: for the chain of --chain or of --data. ' +
      'copy: the log of --data, while nothing runs there. ' +
      'handover: the lease goes to that process, or to the most advanced one. ' +
      'rescue: when those servers are lost, the copy in --data becomes the deployment. ' +
      'archive: old batches are copied into DIR; check: DIR is read whole; remove: what DIR has ' +
      'is removed from PostgreSQL; fetch: --data gets what DIR has.',
  },
  move: {
    does: 'moves a deployment from files to PostgreSQL, or back',
    typed: 'move --to URL|cluster|DIR [--replicated-storage]',
    takes: 'data',
    note:
      'cluster: to the servers of EVERMARK_CLUSTER_URL. DIR: from those servers into that ' +
      'directory. Nothing may run. It may be typed again after a crash.',
  },
  vault: {
    does: 'seals the API secrets with another master key, while nothing runs',
    typed: 'vault rotate',
    takes: 'data',
    note: 'EVERMARK_NEW_MASTER_KEY holds the new key where you keep it yourself.',
  },
} as const satisfies Readonly<Record<string, Usage>>;

const flagsOf = {
  settings: '[FLAG VALUE]…',
  data: '[--data DIR]',
  operator: '[--operator-url URL] [--data DIR]',
} as const;

const columns = 100;

/**
 * How it is typed, with the flags of its kind: in one line, or each way in its own where one line
 * is too long, and each option where a way is.
 */
export function usageLine(name: SubcommandName): string {
  const { typed, takes } = usages[name];
  const flags = flagsOf[takes];
  const line = `usage: evermark ${typed} ${flags}`;
  if (line.length <= columns) return line;
  const ways = waysOf(typed).map((way, at) =>
    linesOf(`${at === 0 ? 'usage:' : '      '} evermark ${way}`),
  );
  const where = takes === 'operator' ? 'where a running exchange is asked also' : 'also';
  return [...ways.flat(), `       ${where}: ${flags}`].join('\n');
}

/** Divided at each | that stands in no bracket. */
function waysOf(typed: string): readonly string[] {
  let depth = 0;
  const ways = [''];
  for (const word of typed.split(' ')) {
    if (word === '|' && depth === 0) ways.push('');
    else ways.push(`${ways.pop()} ${word}`.trim());
    depth += word.split('[').length - word.split(']').length;
  }
  return ways;
}

/** One line, or one more for each option. */
function linesOf(way: string): readonly string[] {
  if (way.length <= columns) return [way];
  return way
    .split(/ (?=\[?--)/)
    .flatMap((part, at) => fold(at === 0 ? part : `         ${part}`, 9));
}

/** The text in lines that are not too long; the further ones are indented. */
function fold(text: string, indent: number): readonly string[] {
  if (text.length <= columns) return [text];
  const end = text.lastIndexOf(' ', columns);
  const rest = `${' '.repeat(indent)}${text.slice(end + 1)}`;
  return [text.slice(0, end), ...fold(rest, indent)];
}

const wrap = (text: string): string => fold(`  ${text}`, 2).join('\n');

/** The text of `evermark NAME --help`, without its settings. */
export function usageOf(name: SubcommandName): string {
  const { does, note }: Usage = usages[name];
  return [usageLine(name), ...[does, note ?? ''].filter((text) => text !== '').map(wrap)].join(
    '\n',
  );
}
