import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { Close, Description, Provider, Root, Title, Viewport } from 'radix-ui/toast'
import { type FocusEvent, useRef, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { dismissToast, type Toast, toastStore } from '../lib/toast.ts'
import { cx } from './cx.ts'

const toastIcons = { default: Info, success: CircleCheck, destructive: TriangleAlert }
const toastClasses = {
  default: 'border-line bg-card text-ink [&>.lucide]:text-ink-soft',
  success: 'border-success/25 bg-success-soft text-ink [&>.lucide]:text-success',
  destructive: 'border-danger/30 bg-danger-soft text-ink [&>.lucide]:text-danger',
}

/**
 * While focus is on a toast its time stands still. Closed from there it must give focus back: left on the empty
 * region, the time of every later toast would stand still too.
 */
function useFocusReturn() {
  const before = useRef<Element | null>(null)
  const region = useRef<HTMLOListElement>(null)
  const borrow = ({ relatedTarget }: FocusEvent) => {
    if (!region.current?.contains(relatedTarget)) before.current = relatedTarget
  }
  const giveBack = () => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement && region.current?.contains(focused))) return
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    else focused.blur()
  }
  return { region, borrow, giveBack }
}

type MessageProps = { toast: Toast; onFocus: (event: FocusEvent) => void; onClose: () => void }

function ToastMessage({ toast, onFocus, onClose }: MessageProps) {
  const Icon = toastIcons[toast.variant]
  return (
    <Root
      duration={toast.duration}
      type={toast.variant === 'destructive' ? 'foreground' : 'background'}
      onFocus={onFocus}
      onOpenChange={(open) => {
        if (open) return
        onClose()
        dismissToast(toast.id)
      }}
      className={cx(
        'flex items-start gap-3 rounded-card border p-4 shadow-float data-[state=open]:animate-slide-in',
        'data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-leave data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        toastClasses[toast.variant],
      )}
    >
      <Icon aria-hidden="true" className="mt-px size-5" />
      <div className="min-w-0 flex-1 text-body">
        <Title className="font-medium">{toast.title}</Title>
        {toast.description && <Description className="mt-0.5 text-ink-soft">{toast.description}</Description>}
        {toast.link && (
          <Link
            to={toast.link.to}
            onClick={() => dismissToast(toast.id)}
            className="mt-1.5 inline-block font-medium text-link"
          >
            {toast.link.label}
          </Link>
        )}
      </div>
      <Close
        aria-label="Fermer"
        className="-m-1 grid size-7 place-items-center rounded-md text-ink-soft hover:bg-ink/5 hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Close>
    </Root>
  )
}

const returnNull = () => null

/** Placed once, at the root. */
export function Toaster() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.read, returnNull)
  const { region, borrow, giveBack } = useFocusReturn()
  return (
    <Provider label="Notification" swipeDirection="right" swipeThreshold={50}>
      {toast && <ToastMessage key={toast.id} toast={toast} onFocus={borrow} onClose={giveBack} />}
      <Viewport
        ref={region}
        onFocus={borrow}
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        className="fixed inset-x-0 bottom-0 z-100 m-0 w-full list-none p-4 outline-none md:left-auto md:max-w-[420px]"
      />
    </Provider>
  )
}
