// A field for a text: a label, a list of addresses, a code.

import { useId } from 'preact/hooks';
import './field.css';

export type TextFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly lengthMax: number;
  /** What may be typed. */
  readonly hint?: string;
};

export function TextField({ label, value, onType, lengthMax, hint }: TextFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="field-box">
        <label class="field-label" for={id}>
          {label}
        </label>
        <input
          id={id}
          class="field-input"
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={lengthMax}
          value={value}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      </div>
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
