// Gives components the state of the page.

import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { must } from '../../std/assert.ts';
import type { Page } from '../state/page.ts';

const PageContext = createContext<Page | undefined>(undefined);

export function ProvidePage({ page, children }: { page: Page; children: ComponentChildren }) {
  return <PageContext.Provider value={page}>{children}</PageContext.Provider>;
}

export const usePage = (): Page => must(useContext(PageContext), 'the page is provided above');
