// Waiting: a port, and the timers of the running process behind it. Tests and the simulator hand in
// virtual time instead.

export type Scheduler = {
  /** Runs `task` once after `milliseconds`; calling what it gives back before then prevents it. */
  readonly after: (milliseconds: number, task: () => void) => () => void;
};

export const systemScheduler: Scheduler = {
  after: (milliseconds, task) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  },
};
