import type { ReactElement, ReactNode } from 'react';
import type { DrawingName } from './drawings/drawing-names.ts';
import { Illustration } from './illustration.tsx';
import { SiteHeader } from './site-header.tsx';

interface Props {
  /**
   * A large drawing, or the name of a small one. The card is then wide enough for the product's
   * name on one line.
   */
  drawing: ReactElement | DrawingName;
  children: ReactNode;
}

/** A page with one message in a card, and a drawing. */
export function Notice({ drawing, children }: Props) {
  const isSmall = typeof drawing === 'string';
  return (
    <>
      <SiteHeader />
      <main
        id="main"
        tabIndex={-1}
        className={`mx-auto grid w-page items-center gap-12 pt-12 pb-20 ${isSmall ? 'lg:grid-cols-[7fr_5fr]' : 'lg:grid-cols-[5fr_6fr]'}`}
      >
        <div className="grid justify-items-start gap-6 border-pen bg-card p-inset print:border-0 print:p-0">
          {children}
        </div>
        {isSmall ? <Illustration name={drawing} className="mx-auto w-96" /> : drawing}
      </main>
    </>
  );
}
