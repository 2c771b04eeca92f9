// A new API key and its secret, which is shown this once.

import { useId } from 'preact/hooks';
import { CopyButton } from '../components/CopyButton.tsx';
import type { CreatedKey } from './CreateKeyForm.tsx';
import { keyMessages } from './keyMessages.ts';

export function SecretView({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  const text = keyMessages();
  return (
    <div class="account-form">
      <h3>{created.label === '' ? text.made : `${text.made}: ${created.label}`}</h3>
      <p class="warn" role="alert">
        {text.secretOnce}
      </p>
      <Secret name={text.key} value={created.api_key} copy={text.copyKey} />
      <Secret name={text.secret} value={created.secret_key} copy={text.copySecret} />
      <button type="button" class="button button-main" onClick={onDone}>
        {text.secretKept}
      </button>
    </div>
  );
}

function Secret({ name, value, copy }: { name: string; value: string; copy: string }) {
  const id = useId();
  return (
    <div class="secret">
      <label for={id}>{name}</label>
      <textarea id={id} readonly rows={2} spellcheck={false} value={value} />
      <CopyButton text={value} name={copy} />
    </div>
  );
}
