// What a process may ask the holder of the lease to write. Its clients decide about their accounts;
// connections are those of the process itself, and prices and facts of the chain come from the
// holder alone.

import type { Batch, Command } from '../engine/command.ts';
import { rangeOfConnection, rangeOfProcess } from '../link/connectionNumbers.ts';
import { LinkBreach } from '../link/frameReader.ts';

/** Throws `LinkBreach`. */
export function checkForwarded(command: Command, process: string): void {
  switch (command.kind) {
    case 'indexTick':
      throw new LinkBreach('a process that follows sent prices');
    case 'creditDeposit':
    case 'reportWithdrawal':
      throw new LinkBreach('a process that follows sent facts of the chain');
    case 'batch':
      return checkBatch(command);
    case 'armConnection':
    case 'disarmConnection':
      return checkOwn([command.connection], process);
    case 'endConnections':
      if (command.connections !== undefined) return checkOwn(command.connections, process);
      throw new LinkBreach('a process that follows cannot end all connections');
  }
}

/** Wallet and limits of a batch are those of its first command. */
function checkBatch({ items }: Batch): void {
  if (new Set(items.map(({ account }) => account)).size === 1) return;
  throw new LinkBreach('a batch is not of one account');
}

function checkOwn(connections: readonly number[], process: string): void {
  const range = rangeOfProcess(process);
  for (const connection of connections) {
    if (rangeOfConnection(connection) === range) continue;
    throw new LinkBreach(`connection ${connection} is not one of the process that names it`);
  }
}
