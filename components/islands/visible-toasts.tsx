import * as RadixToast from '@radix-ui/react-toast';
import { pageStore, type Toast } from '#browser/page-store.ts';
import { useWords } from '#components/language.tsx';
import { ISLANDS } from '#words/islands.ts';
import { keepFocusClear } from './keep-focus-clear.ts';

/** The strip at the left, which shows the kind of message. */
const EDGES = { default: 'border-l-ok', destructive: 'border-l-error' };

/**
 * Puts a single button to the right of the words where there is room, to cover less of the page.
 */
const BESIDE = {
  toast: '@2xs:grid-cols-[1fr_auto]',
  buttons: '@2xs:col-start-2 @2xs:row-span-2 @2xs:row-start-1',
};
/**
 * Puts the buttons below the words, because two buttons to the right would leave the words no room.
 */
const BELOW = { toast: '', buttons: 'mt-2' };

/**
 * The toasts in view, with Radix' durations, swipe and key, which the specification's section 9
 * lists. The toaster's live region announces them. Radix adds a region of its own only together
 * with the toast, which screen readers often miss (radix-ui/primitives#3634), so that region stays
 * outside the page.
 */
export function VisibleToasts({ toasts }: { toasts: readonly Toast[] }) {
  const words = useWords(ISLANDS).toaster;
  return (
    <RadixToast.Provider announcerContainer={document.createDocumentFragment()}>
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} dismiss={words.dismiss} />
      ))}
      <RadixToast.Viewport
        className="@container fixed right-1.5 bottom-1.5 z-3 max-h-[96vh] w-[min(26rem,100vw-0.75rem)] overflow-y-auto p-2.5 sm:w-88 print:hidden"
        label={words.label}
      />
    </RadixToast.Provider>
  );
}

function OneToast({ toast, dismiss }: { toast: Toast; dismiss: string }) {
  const place = toast.action ? BELOW : BESIDE;
  return (
    <RadixToast.Root
      ref={keepFocusClear}
      className={`grid items-center gap-x-4 gap-y-1 rounded-control border-pen border-l-strip border-ink bg-card py-3 pr-3 pl-4 text-small/snug data-[swipe=move]:[transform:translateX(var(--radix-toast-swipe-move-x))] ${EDGES[toast.variant]} ${place.toast}`}
      data-toast=""
      data-variant={toast.variant}
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
      <div className={`flex flex-wrap gap-3 ${place.buttons}`}>
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
