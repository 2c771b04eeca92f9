// A dialog over the page: the platform's, which keeps the focus inside and closes by Escape.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { generalMessages } from '../messages/generalMessages.ts';
import './dialog.css';

export type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Wide enough for a table. */
  readonly wide?: boolean;
};

export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // An effect of the next frame would end after the dialog has left the page, and a key pressed
  // meanwhile would begin at the top of the page.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The dialog may have left the page already; then the browser gives the focus to nothing.
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // A click beside the dialog falls on the element itself; the keyboard has Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it.
    <dialog
      ref={element}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={generalMessages().dismiss}
            onClick={onClose}
          >
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
