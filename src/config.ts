// Every setting of the program: one table that gives each its flag, its variable, its key in a
// configuration file, its reader and its default. No other file reads the environment.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FeedOption, parseFeedOption } from './feeds/parseFeedOption.ts';
import { parseFeedSpeed } from './feeds/parseFeedSpeed.ts';
import { trustedProxiesDefault } from './gateway/identity/clientAddress.ts';
import { privateNetworks } from './gateway/identity/networkList.ts';
import {
  autoOrWhole,
  contractAddress,
  demoOrWhole,
  flag,
  ipAddresses,
  networks,
  nodeUrls,
  oneOf,
  postgresUrls,
  reachableHost,
  type Setting,
  secret,
  signerNames,
  text,
  wanted,
  whole,
  wholeOrZero,
} from './setting.ts';
import { settingMeanings } from './settingMeanings.ts';

/** The chains of the specification, and whether their money is real. */
export const chains = {
  43114: 'mainnet',
  42161: 'mainnet',
  56: 'mainnet',
  43113: 'testnet',
  421614: 'testnet',
} as const;

export type ChainId = keyof typeof chains;

/** The serving thread could not keep more workers busy. */
const workersMax = 64;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Config = {
  /** The directory of log, snapshots, history, secret store and secrets. */
  readonly data: string;
  readonly chain: ChainId;
  /** The address for clients; port 0 takes a free port. */
  readonly host: string;
  readonly port: number;
  /** The address for the operator. */
  readonly operatorHost: string;
  readonly operatorPort: number;
  readonly feed: FeedOption;
  /** How many seconds of a recording pass in one second. */
  readonly feedSpeed: number;
  readonly feedSeed: number;
  /** A file of external index sources; empty: none is contacted. */
  readonly sources: string;
  readonly marketMaker: boolean;
  /** Whether a testnet has a demo account, a crowd and money in the insurance fund. */
  readonly demo: boolean;
  /** USDT that a claim of a testnet's faucet gives (NAT-8), 0: none; demo: 10000 with a demo. */
  readonly faucet: number | 'demo';
  /** A file of market records (OPS-2) to list at first start; empty: the demo's (NUM-1). */
  readonly markets: string;
  /** Proxies whose X-Forwarded-For the gateway trusts (AUTH-1). */
  readonly trustedProxies: readonly string[];
  /** Networks whose clients may read /metrics (CON-3). */
  readonly metricsFrom: readonly string[];
  /** Empty: the token that the first start makes and keeps in `data`. */
  readonly operatorToken: string;
  readonly masterKey: string;
  readonly jwtSecret: string;
  readonly logLevel: LogLevel;
  /** Multiplies every rate limit; 1 is the specification. Only for measurements. */
  readonly rateLimitScale: number;
  /** The archivist takes a snapshot after this many commands at the latest. */
  readonly snapshotEvery: number;
  /** Megabytes of free disk below which new orders are refused. */
  readonly freeDiskMin: number;
  /** Megabytes of one segment of the log. */
  readonly segmentSize: number;
  /** Whether full segments of the log that no start needs are compressed. */
  readonly archiveLog: boolean;
  /** Whether a start runs what trading does most, and builds the page, before clients ask. */
  readonly warmUp: boolean;
  /** Servers of one PostgreSQL, with commas, that hold the log; empty: the log is in `data`. */
  readonly cluster: string;
  /** The operator declares that the storage of these servers is itself replicated. */
  readonly replicatedStorage: boolean;
  /** Where the other processes of the deployment reach this one; port 0: any free one. */
  readonly linkHost: string;
  readonly linkPort: number;
  /** PostgreSQL for history; empty: a file of SQLite in `data`. */
  readonly databaseUrl: string;
  /** The contract that holds the money of the deployment (VLT-1); empty: none. */
  readonly vault: string;
  readonly rpc: string;
  /** Files with keys; empty: none. */
  readonly gasKey: string;
  readonly signerKeys: string;
  /** Signers that are elsewhere; empty: none. */
  readonly signers: string;
  /** USDT that a signer which checks in this process signs within an hour. */
  readonly signerCap: number;
  readonly maxGasFee: number;
  /** Seconds of the log's time between trees of what is owed (VLT-8); 0: none, and no exit. */
  readonly anchorInterval: number;
  /** Megabytes of V8's heap for trading; 0 takes a share of the machine's memory. */
  readonly heapSize: number;
  /** Threads that serve clients; 0: the trading thread does; `auto`: bin/chooseWorkers.ts. */
  readonly workers: number | 'auto';
};

/**
 * Settings or arguments that the program cannot use. The message is for the person who typed them.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const chain: Setting<ChainId> = {
  fallback: 43113,
  read: (value) => {
    const id = Object.keys(chains).find((candidate) => candidate === value);
    if (id === undefined) return wanted(`one of ${Object.keys(chains).join(', ')}`);
    return Number(id) as ChainId;
  },
};

const feed: Setting<FeedOption> = {
  fallback: { kind: 'sim' },
  read: (value) => {
    const parsed = parseFeedOption(value);
    return parsed.kind === 'malformed' ? wanted(`a feed: ${parsed.message}`) : parsed;
  },
};

const feedSpeed: Setting<number> = {
  fallback: 1,
  read: (value) => parseFeedSpeed(value) ?? wanted('a number above 0 and at most 100000'),
};

/**
 * With 10 MB the process ends before it is ready; with this a demo exchange starts and stops well.
 */
const heapMegabytesMin = 256;

const settings: { readonly [Name in keyof Config]: Setting<Config[Name]> } = {
  data: text('./data'),
  chain,
  host: text('127.0.0.1'),
  port: whole(8080, 0, 65_535),
  operatorHost: text('127.0.0.1'),
  operatorPort: whole(8081, 0, 65_535),
  feed,
  feedSpeed,
  feedSeed: whole(1, 0, 2 ** 31 - 1),
  sources: { ...text(''), read: (value) => value },
  marketMaker: flag(true),
  demo: flag(true),
  faucet: demoOrWhole(1_000_000),
  markets: { ...text(''), read: (value) => value },
  trustedProxies: ipAddresses(trustedProxiesDefault),
  metricsFrom: networks(privateNetworks),
  operatorToken: secret(/^[!-~]{16,256}$/, '16 to 256 characters without spaces'),
  masterKey: secret(/^[0-9a-fA-F]{64}$/, '64 hex digits'),
  jwtSecret: secret(/^[ -~]{32,1024}$/, '32 to 1024 characters'),
  logLevel: oneOf('info', logLevels),
  rateLimitScale: whole(1, 1, 1_000_000),
  snapshotEvery: whole(500_000, 1000, 1_000_000_000),
  freeDiskMin: whole(512, 0, 1_000_000),
  segmentSize: whole(64, 1, 1024),
  archiveLog: flag(true),
  warmUp: flag(true),
  cluster: postgresUrls('EVERMARK_CLUSTER_URL'),
  replicatedStorage: flag(false),
  linkHost: reachableHost('127.0.0.1'),
  linkPort: whole(0, 0, 65_535),
  databaseUrl: {
    fallback: '',
    secret: true,
    variable: 'DATABASE_URL',
    read: (value) =>
      /^postgres(ql)?:\/\/([^\s/?@]*@)?[^\s/?@]+\/\S+$/.test(value) && URL.canParse(value)
        ? value
        : wanted('postgres://USER:PASSWORD@HOST:PORT/DATABASE'),
  },
  vault: contractAddress,
  rpc: nodeUrls,
  gasKey: { ...text(''), read: (value) => value },
  signerKeys: { ...text(''), read: (value) => value },
  signers: signerNames,
  signerCap: whole(1_000_000, 1, 1_000_000_000),
  maxGasFee: whole(200, 1, 1_000_000),
  anchorInterval: wholeOrZero(10, 86_400, 3600),
  heapSize: wholeOrZero(heapMegabytesMin, 1_000_000),
  workers: autoOrWhole(workersMax),
};

const configVariable = 'EVERMARK_CONFIG';
/** Other code reads these: the operator's subcommands, and the rotation of the secret store. */
const otherVariables = ['EVERMARK_OPERATOR_URL', 'EVERMARK_NEW_MASTER_KEY'] as const;

type Name = keyof Config;
const names = Object.keys(settings) as Name[];

const flagOf = (name: Name): string => `--${dashed(name)}`;
const variableOf = (name: Name): string =>
  settings[name].variable ?? `EVERMARK_${dashed(name).replaceAll('-', '_').toUpperCase()}`;
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
}

export type ConfigSources = {
  /** The arguments after the subcommand. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
};

/** Flags win over variables, variables over the file, the file over defaults. */
export function readConfig({ args, environment, readFile }: ConfigSources): Config {
  const flags = readFlags(args);
  const file = flags.get('config') ?? (environment[configVariable] || undefined);
  const keys = file === undefined ? new Map<Name, string>() : readKeys(file, readFile(file));
  const config: Partial<Record<Name, unknown>> = {};
  for (const name of names) {
    const variable = environment[variableOf(name)];
    const sources: [string, string | undefined][] = [
      [flagOf(name), flags.get(name)],
      [variableOf(name), variable === '' ? undefined : variable],
      [`"${name}" in ${file}`, keys.get(name)],
    ];
    const [place, value] = sources.find(([, given]) => given !== undefined) ?? [];
    config[name] = value === undefined ? settings[name].fallback : read(name, place!, value);
  }
  return Object.freeze(config) as Config;
}

function read(name: Name, place: string, value: string): unknown {
  const result = settings[name].read(value);
  if (typeof result !== 'object' || !('wanted' in result)) return result;
  const shown = settings[name].secret !== undefined ? '' : `, not "${value.slice(0, 80)}"`;
  throw new ConfigError(`${place} takes ${result.wanted}${shown}.`);
}

/** Every setting: its flag, its variable, its default, and below them its meaning. */
export function settingsHelp(): string {
  const rows = names.map((name) => {
    const { secret: isSecret, fallback } = settings[name];
    const written = isFlag(name) ? `--[no-]${dashed(name)}` : flagOf(name);
    const shown = [
      isSecret === true ? '' : written,
      variableOf(name),
      fallbackText(fallback),
    ] as const;
    return [shown, settingMeanings[name]] as const;
  });
  const file = 'a JSON file with the names of settings as keys; flags and variables win over it';
  rows.unshift([['--config', configVariable, ''], file]);
  return rows
    .map(([[written, variable, shown], meaning]) => {
      const line = `  ${written.padEnd(20)}${variable.padEnd(28)}${shown}`.trimEnd();
      return `${line}\n      ${meaning}`;
    })
    .join('\n');
}

function fallbackText(fallback: Config[Name]): string {
  if (typeof fallback !== 'object') return String(fallback);
  return 'kind' in fallback ? fallback.kind : fallback.join(',');
}

type Flag = Name | 'config';

/** Every flag in the form that follows its dashes. */
const flagNames = new Map<string, Flag>([['config', 'config']]);
for (const name of names) {
  if (settings[name].secret !== true) flagNames.set(dashed(name), name);
}

function readFlags(args: readonly string[]): Map<Flag, string> {
  const entries = Array.from(flagNames, ([written, flag]) => {
    return [written, { type: isFlag(flag) ? 'boolean' : 'string' } as const] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(entries),
    allowNegative: true,
    // Our own messages name the flags that exist, and never show a secret's value.
    strict: false,
    tokens: true,
  });
  const flags = new Map<Flag, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') throw new ConfigError(unknownFlag(args[token.index]!));
    const { name, rawName, value, inlineValue } = token;
    const flag = flagNames.get(name);
    if (flag === undefined) throw new ConfigError(unknownFlag(rawName));
    if (flags.has(flag)) throw new ConfigError(`${rawName} is given twice.`);
    const negated = rawName.startsWith('--no-');
    if (isFlag(flag)) flags.set(flag, value ?? String(!negated));
    else if (negated) throw new ConfigError(`--${name} is not on or off.`);
    else if (value === undefined || (!inlineValue && value.startsWith('--'))) {
      throw new ConfigError(`${rawName} needs a value.`);
    } else flags.set(flag, value);
    checkNoPassword(flag, flags.get(flag)!);
  }
  return flags;
}

/** Every process of the machine can read a flag. */
function checkNoPassword(flag: Flag, value: string): void {
  if (flag === 'config' || settings[flag].secret !== 'password') return;
  if (!/:\/\/[^/@\s]*:[^/@\s]*@|password=/i.test(value)) return;
  throw new ConfigError(
    `${flagOf(flag)} would show a password to every process; set ${variableOf(flag)}.`,
  );
}

/**
 * Variables that begin like settings but are none. Either they are mistyped, so that their setting
 * keeps its default, or they belong to another program that calls this one.
 */
export function strayVariables(environment: Environment): string[] {
  const known = new Set([...otherVariables, configVariable, ...names.map(variableOf)]);
  return Object.keys(environment).filter(
    (name) => name.startsWith('EVERMARK_') && !known.has(name),
  );
}

/** Whether the setting is on or off; `--no-` before it turns it off. */
function isFlag(name: Flag): boolean {
  return name !== 'config' && typeof settings[name].fallback === 'boolean';
}

function unknownFlag(written: string): string {
  const secretName = names.find(
    (name) => settings[name].secret === true && flagOf(name) === written,
  );
  if (secretName !== undefined) {
    return `${written} would show a secret to every process; set ${variableOf(secretName)}.`;
  }
  const negated = written.startsWith('--no-') && flagNames.has(written.slice(5));
  if (negated) return `${written} takes no value.`;
  const known = Array.from(flagNames.keys(), (flag) => `--${flag}`);
  return `${written} is not a flag of this command. It takes ${known.join(' ')}.`;
}

function readKeys(file: string, content: string): Map<Name, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(`${file} must hold one JSON object.`);
  }
  const keys = new Map<Name, string>();
  for (const [key, value] of Object.entries(parsed)) {
    const name = names.find((candidate) => candidate === key);
    if (name === undefined) throw new ConfigError(`${file} has the unknown key "${key}".`);
    keys.set(name, keyText(file, key, value));
  }
  return keys;
}

function keyText(file: string, key: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => keyText(file, key, item)).join(',');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ConfigError(`"${key}" in ${file} is neither text, number, true nor false.`);
}

export type Environment = ConfigSources['environment'];

/** The variables of this process. */
export function readEnvironment(): Environment {
  return process.env;
}

/** The configuration from flags, variables and the file they name. Throws `ConfigError`. */
export function loadConfig(args: readonly string[], environment: Environment): Config {
  return readConfig({ args, environment, readFile: readConfigFile });
}

function readConfigFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The configuration file cannot be read: ${(error as Error).message}`);
  }
}
