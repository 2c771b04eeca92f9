// A box that is checked or not, with its label behind it.

import { useId } from 'preact/hooks';
import './check.css';

export type CheckProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
};

export function Check({ label, isOn, onTurn }: CheckProps) {
  return (
    <label class="check">
      <input
        id={useId()}
        type="checkbox"
        checked={isOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
