// The hash of a transaction, short, with a button that copies all of it. No link: explorers differ
// by chain, and the page opens nothing elsewhere.

import { generalMessages } from '../messages/generalMessages.ts';
import { CopyButton } from './CopyButton.tsx';

export function TransactionText({ hash }: { hash: string }) {
  return (
    <span class="transaction">
      <span class="code" title={hash}>{`${hash.slice(0, 8)}…${hash.slice(-6)}`}</span>{' '}
      <CopyButton text={hash} name={generalMessages().copy} isSmall />
    </span>
  );
}
