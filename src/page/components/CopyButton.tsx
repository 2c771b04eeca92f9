// Copies a text. Where the browser does not allow it, the text stands beside it to be selected.

import { useState } from 'preact/hooks';
import { generalMessages } from '../messages/generalMessages.ts';

type CopyButtonProps = { readonly text: string; readonly name: string; readonly isSmall?: boolean };

export function CopyButton({ text, name, isSmall = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <button type="button" class={isSmall ? 'button-small' : 'button'} onClick={() => void copy()}>
      {isCopied ? generalMessages().copied : name}
    </button>
  );
}
