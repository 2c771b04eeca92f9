// Why a connection was not armed or disarmed (COD-3), in the words of the channel protocol.

import type { Static } from 'typebox';
import { nativeErrorText } from '../errors/failureAnswer.ts';
import type { Failure } from '../operation.ts';
import { channelMessages } from './channelMessages.ts';

type ChannelError = Pick<Static<typeof channelMessages.error>, 'code' | 'message'>;

const codes: ReadonlySet<string> = new Set(channelMessages.error.properties.code.enum);

/** A failure without a code of its own there is a fault of the exchange. */
export function disconnectError(failure: Failure): ChannelError {
  const error = JSON.parse(nativeErrorText(failure)) as ChannelError;
  return codes.has(error.code) ? error : { ...error, code: 'INTERNAL' };
}
