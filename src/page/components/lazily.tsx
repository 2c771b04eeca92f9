// A part of the page that is loaded when it is shown first. Until then its place says that it is
// being read; when it cannot be had, it says why and what to do.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { failureText } from '../messages/failureText.ts';
import { generalMessages } from '../messages/generalMessages.ts';
import { loadPart } from '../state/loadPart.ts';
import './lazily.css';
import { usePage } from './usePage.tsx';

export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const { options } = usePage();
    const [, setLoaded] = useState(Part !== undefined);
    const [failure, setFailure] = useState<unknown>();
    useEffect(() => {
      if (Part !== undefined) return;
      let isClosed = false;
      loadPart(options, load).then(
        (loaded) => {
          Part = loaded;
          if (!isClosed) setLoaded(true);
        },
        (error) => {
          if (!isClosed) setFailure(error);
        },
      );
      return () => {
        isClosed = true;
      };
    }, []);
    if (Part !== undefined) return <Part {...props} />;
    return failure === undefined ? (
      <p class="lazy-state lazy-waits muted" role="status">
        {generalMessages().reading}
      </p>
    ) : (
      <p class="lazy-state" role="alert">
        {failureText(failure)}
      </p>
    );
  };
}
