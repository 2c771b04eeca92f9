// A process among the processes of its deployment: it writes its row twice a second, sees the rows
// of the others, and answers the operator's wish for a handover while it holds the lease.

import type { Scheduler } from '../../std/scheduler.ts';
import type { Lane } from './createLane.ts';
import { type MemberWatch, watchRows, whyBarred } from './engineTurn.ts';
import {
  answerStatement,
  beatStatement,
  membersStatement,
  readMembers,
  removeMemberStatement,
  type Wish,
} from './memberStatement.ts';
import { beatEveryMs, chooseHeir, forgottenMembers, type MemberReport } from './members.ts';
import type { Heir } from './statement.ts';

export type JoinMembers = {
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  /** Milliseconds since an arbitrary moment. */
  readonly stopwatch: () => number;
  /** What is true of this process now. */
  readonly describe: () => MemberReport;
  /** Called while this process holds the lease, once: it must give the lease to the heir. */
  readonly onHandover: (heir: Heir) => void;
  readonly report: (message: string) => void;
};

export type Membership = {
  /** Why this process leaves the lease to others; undefined: it may take it. */
  readonly barredBy: (logEngine: string) => string | undefined;
  /** Removes the row and ends; it waits for nothing longer than a second. */
  readonly leave: () => Promise<void>;
};

const leaveMs = 1000;

export function joinMembers(options: JoinMembers): Membership {
  const { lane, scheduler, stopwatch, describe } = options;
  const watch: MemberWatch = { sights: new Map(), lookedAt: undefined };
  const { sights } = watch;
  let beat = 0;
  let left = false;
  let cancel = (): void => {};
  let turn = Promise.resolve();
  const look = async (report: MemberReport): Promise<void> => {
    const outcome = await lane.run(membersStatement);
    if (outcome.kind === 'doubt' || left) return;
    const { members, wish } = readMembers(outcome.rows);
    watchRows(watch, members, stopwatch());
    if (report.role !== 'holder') return;
    for (const { process, beat: last } of forgottenMembers(sights, stopwatch())) {
      await lane.run(removeMemberStatement(process, last));
    }
    if (wish !== undefined) await follow(wish, report);
  };
  const follow = async (wish: Wish, report: MemberReport): Promise<void> => {
    if (wish.holder !== report.process || wish.answer !== undefined || left) return;
    const choice = chooseHeir(sights, report, { named: wish.heir, nowMs: stopwatch() });
    if (choice.kind === 'refused') {
      options.report(`the handover to ${wish.heir} is refused: ${choice.why}`);
      await lane.run(answerStatement(wish, choice.why));
      return;
    }
    const { process: holder, address } = choice.heir;
    options.onHandover({ holder, address });
  };
  const again = async (): Promise<void> => {
    const begun = stopwatch();
    const report = describe();
    beat += 1;
    const { kind } = await lane.run(beatStatement(report, beat));
    if (kind === 'clean') await look(report);
    if (left) return;
    const waitMs = Math.max(0, beatEveryMs - (stopwatch() - begun));
    cancel = scheduler.after(waitMs, () => {
      turn = again();
    });
  };
  turn = again();
  return {
    barredBy: (logEngine) => whyBarred(watch, { ...describe(), logEngine }, stopwatch()),
    leave: async () => {
      left = true;
      cancel();
      let late = false;
      const stop = scheduler.after(leaveMs, () => {
        late = true;
        lane.end();
      });
      await turn;
      if (!late) await lane.run(removeMemberStatement(describe().process));
      stop();
      lane.end();
    },
  };
}
