import * as RadixToast from '@radix-ui/react-toast';
import { useStore } from 'zustand';
import { pageStore, type Toast } from '#browser/page-store.ts';
import { useWords } from '#components/language.tsx';
import { ISLANDS } from '#words/islands.ts';
import { placeToast } from './place-toast.ts';
import { createRoot } from './react-root.ts';

/** Classes of the strip at the toast's left, whose colour shows success or failure. */
const EDGES = { default: 'border-l-ok', destructive: 'border-l-error' };

/** Layout of a toast with one button: to the right of the text, so that the toast is lower. */
const BESIDE = {
  toast: '@2xs:grid-cols-[1fr_auto]',
  buttons: '@2xs:col-start-2 @2xs:row-span-2 @2xs:row-start-1',
};
/** Layout of a toast with two buttons: below the text, which two buttons would leave no room. */
const BELOW = { toast: '', buttons: 'mt-2' };

/** Shows the toasts of the page store at the end of the page. */
export function showToasts(): void {
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(<Toasts />);
}

/**
 * The toasts on the screen, with the default duration, swipe and key of Radix (specification,
 * section 9). toasts.ts announces them. Radix adds its own live region together with the
 * toast, and screen readers often miss it (radix-ui/primitives#3634), so that region is put outside
 * of the page.
 */
function Toasts() {
  const toasts = useStore(pageStore, (state) => state.toasts);
  const words = useWords(ISLANDS).toaster;
  if (toasts.length === 0) return null;
  return (
    <RadixToast.Provider announcerContainer={document.createDocumentFragment()}>
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} dismiss={words.dismiss} />
      ))}
      <RadixToast.Viewport
        className="@container fixed right-1.5 bottom-1.5 z-3 max-h-[96vh] w-[min(26rem,100vw-0.75rem)] overflow-y-auto p-2.5 data-at-top:top-1.5 data-at-top:bottom-auto sm:max-w-88 print:hidden"
        label={words.label}
      />
    </RadixToast.Provider>
  );
}

function OneToast({ toast, dismiss }: { toast: Toast; dismiss: string }) {
  const layout = toast.action ? BELOW : BESIDE;
  return (
    <RadixToast.Root
      ref={placeToast}
      className={`grid items-center gap-x-4 gap-y-1 rounded-control border-pen border-l-strip border-ink bg-card py-3 pr-3 pl-4 text-small/snug data-[swipe=move]:[transform:translateX(var(--radix-toast-swipe-move-x))] ${EDGES[toast.variant]} ${layout.toast}`}
      data-toast=""
      data-variant={toast.variant}
      data-silent={toast.isSilent ? '' : undefined}
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) pageStore.getState().dismissToast(toast.id);
      }}
    >
      <RadixToast.Title className="font-bold @2xs:col-start-1">{toast.title}</RadixToast.Title>
      {toast.description && (
        <RadixToast.Description className="@2xs:col-start-1">
          {toast.description}
        </RadixToast.Description>
      )}
      <div className={`flex flex-wrap gap-3 ${layout.buttons}`}>
        {toast.action && (
          <RadixToast.Action asChild altText={toast.action.label} onClick={toast.action.onSelect}>
            <button type="button" className="quiet">
              {toast.action.label}
            </button>
          </RadixToast.Action>
        )}
        <RadixToast.Close asChild>
          <button type="button" className="quiet">
            {dismiss}
          </button>
        </RadixToast.Close>
      </div>
    </RadixToast.Root>
  );
}
