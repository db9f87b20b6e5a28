import { type ComponentProps, Suspense, useSyncExternalStore } from 'react'
import { Button } from '../../components/button.tsx'
import { lazy } from '../../components/lazy.tsx'
import { dialogStore, openDialog, type SiteDialog } from './store.ts'

const Dialogs = lazy(() => import('./dialogs.tsx'))
const CLOSED = { open: false, last: null }

/** Loaded at the first click: a page that is only read does not pay for them. */
export function SiteDialogs() {
  const { open, last } = useSyncExternalStore(dialogStore.subscribe, dialogStore.read, () => CLOSED)
  if (!last) return null
  return (
    <Suspense fallback={null}>
      <Dialogs open={open} last={last} />
    </Suspense>
  )
}

type DialogButtonProps = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'icon' | 'className'> & {
  opens: SiteDialog
  label: string
}

export const DialogButton = ({ opens, label, size = 'large', ...look }: DialogButtonProps) => (
  <Button {...look} size={size} aria-haspopup="dialog" onClick={() => openDialog(opens)}>
    {label}
  </Button>
)
