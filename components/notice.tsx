import type { ReactNode } from 'react';
import { SiteHeader } from './site-header.tsx';

interface Props {
  drawing: ReactNode;
  /** In wide windows: the widths of the card and of the drawing. */
  columns?: string;
  children: ReactNode;
}

/** A page with one message in a card, and a drawing. */
export function Notice({ drawing, columns = 'lg:grid-cols-[5fr_6fr]', children }: Props) {
  return (
    <>
      <SiteHeader />
      <main
        id="main"
        tabIndex={-1}
        className={`mx-auto grid w-page items-center gap-12 pt-12 pb-20 ${columns}`}
      >
        <div className="grid justify-items-start gap-6 border-pen bg-card p-inset">{children}</div>
        {drawing}
      </main>
    </>
  );
}

/** The columns for a small drawing. The card is then wide enough for the product's name on one line. */
export const WIDE_CARD = 'lg:grid-cols-[7fr_5fr]';
