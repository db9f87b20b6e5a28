import { Suspense, useSyncExternalStore } from 'react'
import { lazy } from '../../ui/lazy.tsx'
import { dialogStore } from './store.ts'

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
