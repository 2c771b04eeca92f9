// A record of an exchange for the oracles: the seeded stream of every kind of command,
// step by step, with the events of each and the exchange as the step left it.

import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { createExchange, type Exchange } from '../../src/engine/exchange.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { Time } from '../../src/units/units.ts';
import { createStream, openingCommands, streamStart } from '../engine/commandStream.ts';

export type Recorded = {
  readonly events: readonly Event[];
  readonly command: Command | undefined;
  readonly outcome: Outcome | undefined;
  /**
   * Calls with an exchange in the state after this step; to be called in order, from any step on.
   */
  readonly at: (look: (exchange: Exchange) => void) => void;
};

type Made = Pick<Recorded, 'command'> & { readonly time: Time };

export function recordSteps(seed: number, count: number): Recorded[] {
  const drawing = createExchange(43113);
  const stream = createStream(seed, () => drawing);
  const made: Made[] = [];
  const make = (time: Time, command: Command | undefined): void => {
    made.push({ time, command });
    apply(drawing, { time, command });
  };
  make(streamStart, undefined);
  for (const command of openingCommands()) make(streamStart, command);
  for (let i = 0; i < count; i += 1) {
    const command = stream.next();
    make(stream.time(), undefined);
    make(stream.time(), command);
  }
  return replay(made);
}

function apply(exchange: Exchange, { time, command }: Made): Outcome | undefined {
  exchange.events = [];
  if (command !== undefined) return applyCommand(exchange, command, 0 as Time);
  beginBatch(exchange, time);
  return undefined;
}

/** Every look continues in one exchange, which begins again when an earlier step is looked at. */
function replay(made: readonly Made[]): Recorded[] {
  const first = createExchange(43113);
  const reported = made.map((step) => {
    const outcome = apply(first, step);
    return { events: first.events, outcome };
  });
  let exchange = createExchange(43113);
  let done = 0;
  return made.map((step, index) => ({
    ...reported[index]!,
    command: step.command,
    at: (look) => {
      if (done > index) {
        exchange = createExchange(43113);
        done = 0;
      }
      while (done <= index) {
        apply(exchange, made[done]!);
        done += 1;
      }
      look(exchange);
    },
  }));
}
