// Waiting: a port, and the timers of the running process behind it. Tests and the simulator use
// virtual time instead.

export type Scheduler = {
  /** Runs `task` once after `milliseconds`. It returns a function that cancels the task. */
  readonly after: (milliseconds: number, task: () => void) => () => void;
};

export const systemScheduler: Scheduler = {
  after: (milliseconds, task) => {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  },
};
