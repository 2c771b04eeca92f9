// As many requests as answers come, over keep-alive connections with one request out on each. The
// load comes from wrk where it is installed, because it needs the least processor time of one
// request, else from gatewayLoad.ts.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askOnce } from './childProcess.ts';
import type { LoadPlan, LoadResult } from './gatewayLoad.ts';
import { check } from './report.ts';

export type ClosedPlan = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Whole HTTP requests as latin1 text, sent in turn. */
  readonly requests: readonly string[];
};

export type ClosedResult = {
  readonly answered: number;
  readonly perSecond: number;
  /** The processor time that the load itself took for a request, microseconds. */
  readonly loadUs: number;
};

/** Above this share of one core the load would measure itself. */
export const loadShareMax = 0.7;

/** `wrk -v` prints its version and ends with 1. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** Fails when an answer is not 200, or when the load used too much of its core. */
export async function askClosedLoad(plan: ClosedPlan): Promise<ClosedResult> {
  const { answered, milliseconds, coreShare } = await (hasWrk ? askWrk(plan) : askOwn(plan));
  check(answered > 0, 'no request was answered');
  check(coreShare < loadShareMax, `the load used ${coreShare} of a core: it measures itself`);
  const perSecond = (answered * 1000) / milliseconds;
  return { answered, perSecond, loadUs: (coreShare * 1e6) / perSecond };
}

type Measured = Pick<LoadResult, 'answered' | 'milliseconds' | 'coreShare'>;

async function askOwn({ seconds, ...plan }: ClosedPlan): Promise<Measured> {
  const asked = { ...plan, milliseconds: seconds * 1000, rate: 0, stamps: false };
  const result = await askOnce<LoadPlan, LoadResult>('gatewayLoad.ts', asked);
  const { answered, accepted, refusal } = result;
  check(accepted === answered, `${answered - accepted} requests were refused, one so: ${refusal}`);
  return result;
}

/** No request contains the separator. */
const separator = '\0';

const script = (file: string): string => `
local requests = {}
local next = 0
function init()
  local file = io.open("${file}", "rb")
  for request in string.gmatch(file:read("*a"), "([^%z]+)") do requests[#requests + 1] = request end
  file:close()
end
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('\\n{"answered":%d,"microseconds":%d,"refused":%d,"failed":%d}\\n',
    summary.requests, summary.duration, errors.status, failed))
end
`;

async function askWrk({ port, connections, seconds, requests }: ClosedPlan): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'evermark-wrk-'));
  try {
    const requestsFile = join(directory, 'requests');
    const scriptFile = join(directory, 'requests.lua');
    writeFileSync(requestsFile, requests.join(separator), 'latin1');
    writeFileSync(scriptFile, script(requestsFile));
    const sizes = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'];
    const child = spawn('wrk', [...sizes, '-s', scriptFile, `http://127.0.0.1:${port}/`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text, spentMs] = await Promise.all([textOf(child), processorMsOf(child)]);
    const line = text.split('\n').find((each) => each.startsWith('{')) ?? '{}';
    const { answered, microseconds, refused, failed } = JSON.parse(line) as Record<string, number>;
    check(refused === 0 && failed === 0, `${refused} refusals and ${failed} errors\n${text}`);
    const milliseconds = microseconds! / 1000;
    return { answered: answered!, milliseconds, coreShare: spentMs / milliseconds };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function textOf({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stdout!) text += String(chunk);
  return text;
}

/** The length of a tick of `/proc/PID/stat`. */
const tickMs = 10;
const sampleMs = 50;

/** The processor time of a process as it was last seen; Linux reports it while the process runs. */
function processorMsOf(child: ChildProcess): Promise<number> {
  let spent = 0;
  const sample = (): void => {
    try {
      // User and system time are the fields 14 and 15; the second, the name, may contain blanks.
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      spent = Math.max(spent, (Number(fields[11]) + Number(fields[12])) * tickMs);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(sample, sampleMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      clearInterval(timer);
      resolve(spent);
    });
  });
}
