// A choice of one of a few values, which a signal holds.

import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly of: Signal<T>;
  readonly values: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  /** Of its element, where a label of its own names it; otherwise the element says its label. */
  readonly id?: string;
};

export function Choice<T extends string>({ label, of, values, names, id }: ChoiceProps<T>) {
  const ownId = useId();
  return (
    <select
      id={id ?? ownId}
      class="select"
      aria-label={id === undefined ? label : undefined}
      value={of.value}
      onChange={(event) => {
        of.value = event.currentTarget.value as T;
      }}
    >
      {values.map((value) => (
        <option key={value} value={value}>
          {names[value]}
        </option>
      ))}
    </select>
  );
}
