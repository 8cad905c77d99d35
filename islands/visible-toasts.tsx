import * as RadixToast from '@radix-ui/react-toast';
import { siteStore, type Toast } from '#browser/site.ts';
import { QuietButton } from '#components/quiet-button.tsx';

/** The strip at the left, beside the words: which kind of message it is. */
const EDGES = { default: 'border-l-ok', destructive: 'border-l-error' };

/** Radix' defaults, as the specification's section 9 lists them. */
const DURATION_MS = 5000;
const SWIPE_DIRECTION = 'right';
const SWIPE_THRESHOLD_PX = 50;
const HOTKEY = ['F8'];

/**
 * The toasts as they are seen. They are announced by the toaster's own live region: Radix makes its own only together
 * with the toast, which screen readers often miss (radix-ui/primitives#3634), so that one goes nowhere.
 */
export function VisibleToasts({ toasts }: { toasts: readonly Toast[] }) {
  return (
    <RadixToast.Provider
      duration={DURATION_MS}
      swipeDirection={SWIPE_DIRECTION}
      swipeThreshold={SWIPE_THRESHOLD_PX}
      announcerContainer={document.createDocumentFragment()}
    >
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
      {/* The opt-out's toast must not cover the footer's links: on a phone they are above the button, so the toast is at
          the bottom; in wider windows they are beside it, so the toast is at the top. */}
      <RadixToast.Viewport
        className="@container fixed right-1.5 bottom-1.5 z-3 max-h-[96vh] w-[min(26rem,100vw-0.75rem)] overflow-y-auto p-2.5 sm:top-1.5 sm:bottom-auto print:hidden"
        hotkey={HOTKEY}
        label="Messages ({hotkey})"
      />
    </RadixToast.Provider>
  );
}

function OneToast({ toast }: { toast: Toast }) {
  return (
    <RadixToast.Root
      className={`grid items-center gap-x-4 gap-y-1 rounded-control border-pen border-l-strip border-ink bg-card py-3 pr-3 pl-4 text-small/snug @2xs:grid-cols-[1fr_auto] data-[swipe=move]:[transform:translateX(var(--radix-toast-swipe-move-x))] ${EDGES[toast.variant]}`}
      data-toast=""
      data-variant={toast.variant}
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) siteStore.getState().dismissToast(toast.id);
      }}
    >
      <RadixToast.Title className="font-bold @2xs:col-start-1">{toast.title}</RadixToast.Title>
      {toast.description && (
        <RadixToast.Description className="@2xs:col-start-1">
          {toast.description}
        </RadixToast.Description>
      )}
      {/* Words on the left, the way out on the right, where there is room: it covers less of the page. */}
      <div className="flex flex-wrap gap-3 @2xs:col-start-2 @2xs:row-span-2 @2xs:row-start-1">
        {toast.action && (
          <RadixToast.Action asChild altText={toast.action.label} onClick={toast.action.onSelect}>
            <QuietButton>{toast.action.label}</QuietButton>
          </RadixToast.Action>
        )}
        <RadixToast.Close asChild>
          <QuietButton>Dismiss</QuietButton>
        </RadixToast.Close>
      </div>
    </RadixToast.Root>
  );
}
