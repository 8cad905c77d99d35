import * as RadixToast from '@radix-ui/react-toast';
import { siteStore, type Toast } from '#browser/site.ts';

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
      <RadixToast.Viewport className="toasts" hotkey={HOTKEY} label="Messages ({hotkey})" />
    </RadixToast.Provider>
  );
}

function OneToast({ toast }: { toast: Toast }) {
  return (
    <RadixToast.Root
      className="toast"
      data-variant={toast.variant}
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) siteStore.getState().dismissToast(toast.id);
      }}
    >
      <RadixToast.Title className="toast-title">{toast.title}</RadixToast.Title>
      {toast.description && (
        <RadixToast.Description className="toast-text">{toast.description}</RadixToast.Description>
      )}
      <div className="toast-buttons">
        {toast.action && (
          <RadixToast.Action
            className="button-quiet"
            altText={toast.action.label}
            onClick={toast.action.onSelect}
          >
            {toast.action.label}
          </RadixToast.Action>
        )}
        <RadixToast.Close className="button-quiet">Dismiss</RadixToast.Close>
      </div>
    </RadixToast.Root>
  );
}
