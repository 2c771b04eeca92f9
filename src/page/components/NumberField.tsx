// A field for a price, a size or another decimal. It keeps what was typed; its owner reads it.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { fieldLengthMax } from '../state/readTyped.ts';
import './field.css';

export type NumberFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  /** The unit, or a button that changes it. */
  readonly unit?: ComponentChildren;
  /** What is wrong with the value; empty when nothing is. */
  readonly problem?: string;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  /** By which a form finds the field. */
  readonly name?: string;
  /** What the value is for. */
  readonly title?: string;
  /** Arrow keys change the value by a step. */
  readonly onStep?: (direction: 1 | -1) => void;
};

export function NumberField(props: NumberFieldProps) {
  const { label, value, onType, unit, problem = '', disabled = false, onStep } = props;
  const id = useId();
  return (
    <div class="field">
      <div class={problem === '' ? 'field-box' : 'field-box field-wrong'} title={props.title}>
        <label class="field-label" for={id}>
          {label}
        </label>
        <input
          id={id}
          name={props.name}
          class="field-input"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          maxLength={fieldLengthMax}
          value={value}
          disabled={disabled}
          placeholder={props.placeholder}
          aria-invalid={problem !== ''}
          aria-describedby={problem === '' ? undefined : `${id}-problem`}
          onInput={(event) => onType(event.currentTarget.value)}
          onKeyDown={(event) => {
            const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
            if (direction === 0 || onStep === undefined) return;
            event.preventDefault();
            onStep(direction);
          }}
        />
        {unit !== undefined && <span class="field-unit">{unit}</span>}
      </div>
      {problem !== '' && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
