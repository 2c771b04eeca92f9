// When what messages change is drawn: before a frame, all of it before the same one, and not before
// every frame. A person cannot read more, and each frame costs the page style, layout and paint.

/** Calls before a frame is drawn; soon even where none is drawn. */
export type BeforeFrame = (step: () => void) => void;

export type FramePace = {
  /** Calls before the next frame that the platform draws. */
  readonly nextFrame: BeforeFrame;
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number;
  readonly after: (milliseconds: number, step: () => void) => unknown;
};

/** Between two frames in which changes of the market are drawn: four frames of a usual screen. */
export const drawnEveryMs = 66;
/** Frames do not come exactly in time. */
const earlyMs = 5;

/** What has rested for a while is drawn in the very next frame. */
export function createFramePace({ nextFrame, now, after }: FramePace): BeforeFrame {
  let steps: (() => void)[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    drawnAt = now();
    const planned = steps;
    steps = [];
    for (const step of planned) step();
  };
  return (step) => {
    steps.push(step);
    if (steps.length > 1) return;
    const wait = drawnAt + drawnEveryMs - earlyMs - now();
    if (wait > 0) after(wait, () => nextFrame(draw));
    else nextFrame(draw);
  };
}
