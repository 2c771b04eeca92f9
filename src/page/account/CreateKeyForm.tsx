// Makes a new API key. A login that is not fresh is first made fresh: the wallet signs once more
// (AUTH-12).

import { useState } from 'preact/hooks';
import { ApiError } from '../../client/apiError.ts';
import { Problem } from '../components/Problem.tsx';
import { TextField } from '../components/TextField.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import type { Requests } from '../state/requests.ts';
import { keyMessages } from './keyMessages.ts';
import { signAgain } from './signAgain.ts';

export type CreatedKey = Awaited<ReturnType<Requests['createApiKey']>>;

/** Of the exchange's bounds (AUTH-4): a label, and a list of addresses that a person types. */
const labelLengthMax = 128;
const addressesLengthMax = 2000;

type Making = {
  readonly step: 'typing' | 'sending' | 'stale' | 'signing';
  /** What went wrong; empty when nothing did. */
  readonly problem: string;
  readonly send: () => Promise<void>;
  /** Makes the login fresh, and sends. */
  readonly sign: () => Promise<void>;
};

type Wish = { readonly label: string; readonly ip_whitelist: string };

function useMaking(wish: Wish, onCreated: (key: CreatedKey) => void): Making {
  const page = usePage();
  const [step, setStep] = useState<Making['step']>('typing');
  const [problem, setProblem] = useState('');
  const begin = (next: Making['step']): void => {
    setStep(next);
    setProblem('');
  };
  const send = async (): Promise<void> => {
    begin('sending');
    try {
      onCreated(await page.requests.createApiKey(wish));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'LOGIN_TOO_OLD') {
        setStep('stale');
        return;
      }
      setStep('typing');
      setProblem(failureText(error));
    }
  };
  const sign = async (): Promise<void> => {
    begin('signing');
    try {
      await signAgain(page);
    } catch (error) {
      setStep('stale');
      setProblem(failureText(error));
      return;
    }
    await send();
  };
  return { step, problem, send, sign };
}

export function CreateKeyForm({ onCreated }: { onCreated: (key: CreatedKey) => void }) {
  const [label, setLabel] = useState('');
  const [addresses, setAddresses] = useState('');
  const wish = { label: label.trim(), ip_whitelist: addresses.replace(/\s/g, '') };
  const { step, problem, send, sign } = useMaking(wish, onCreated);
  const text = keyMessages();
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h3>{text.create}</h3>
      <TextField label={text.label} value={label} onType={setLabel} lengthMax={labelLengthMax} />
      <TextField
        label={text.addresses}
        value={addresses}
        onType={setAddresses}
        lengthMax={addressesLengthMax}
        hint={text.addressesHint}
      />
      <p class="muted">{text.permissions}</p>
      <Problem text={problem} />
      {step === 'stale' || step === 'signing' ? (
        <>
          <p role="status">{step === 'signing' ? text.signing : text.stale}</p>
          <button
            type="button"
            class="button button-main"
            disabled={step === 'signing'}
            onClick={() => void sign()}
          >
            {text.sign}
          </button>
        </>
      ) : (
        <button type="submit" class="button button-main" disabled={step === 'sending'}>
          {text.create}
        </button>
      )}
    </form>
  );
}
