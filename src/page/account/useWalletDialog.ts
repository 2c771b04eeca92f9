// The choice of a wallet, loaded when a person wants to sign in.

import { type LoadedDialog, useLoadedDialog } from '../components/useLoadedDialog.ts';
import type { WalletDialogProps } from './WalletDialog.tsx';

export const useWalletDialog = (): LoadedDialog<WalletDialogProps> =>
  useLoadedDialog(async () => (await import('./WalletDialog.tsx')).WalletDialog);
