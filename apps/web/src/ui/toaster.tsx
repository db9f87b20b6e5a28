import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { Close, Description, Provider, Root, Title, Viewport } from 'radix-ui/toast'
import { useSyncExternalStore } from 'react'
import { dismissToast, type Toast, toastStore } from '../lib/toast.ts'
import { cx } from './cx.ts'

const icons = { default: Info, success: CircleCheck, destructive: TriangleAlert }
const looks = {
  default: 'border-line bg-card text-ink [&>.lucide]:text-ink-soft',
  success: 'border-success/25 bg-success-soft text-ink [&>.lucide]:text-success',
  destructive: 'border-danger/30 bg-danger-soft text-ink [&>.lucide]:text-danger',
}

function Message({ toast }: { toast: Toast }) {
  const Icon = icons[toast.variant]
  return (
    <Root
      duration={toast.duration}
      type={toast.variant === 'destructive' ? 'foreground' : 'background'}
      onOpenChange={(open) => open || dismissToast(toast.id)}
      className={cx(
        'flex items-start gap-3 rounded-card border p-4 shadow-float data-[state=open]:animate-slide-in',
        'data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-leave data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        looks[toast.variant],
      )}
    >
      <Icon aria-hidden="true" className="mt-px size-5" />
      <div className="min-w-0 flex-1 text-body">
        <Title className="font-medium">{toast.title}</Title>
        {toast.description && <Description className="mt-0.5 text-ink-soft">{toast.description}</Description>}
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

const nothing = () => null

/** Placed once, at the root. */
export function Toaster() {
  const toast = useSyncExternalStore(toastStore.subscribe, toastStore.read, nothing)
  return (
    <Provider label="Notification" swipeDirection="right" swipeThreshold={50}>
      {toast && <Message key={toast.id} toast={toast} />}
      <Viewport
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        className="fixed inset-x-0 bottom-0 z-100 m-0 w-full list-none p-4 outline-none md:left-auto md:max-w-[420px]"
      />
    </Provider>
  )
}
