import { type ReactElement, type ReactNode, Suspense, use } from 'react'
import { DialogCloseContext, type DialogProps } from './dialog-parts.ts'
import { lazy } from './lazy.tsx'
import { OpenFailure, type OverlayProps, useOverlayOpening } from './open-on-demand.tsx'

const loadDialog = () => import('./dialog-open.tsx')
const OpenDialog = lazy(loadDialog, OpenFailure)

/** Focus stays inside, Escape closes, and focus goes back where it came from. */
export function Dialog(props: DialogProps) {
  const { alone, startsOpen, needed } = useOverlayOpening(loadDialog, props)
  return <Suspense fallback={alone}>{needed ? <OpenDialog {...props} startsOpen={startsOpen} /> : alone}</Suspense>
}

/** Around a button of `actions` that only closes. */
export function DialogClose({ children }: { children: ReactElement }) {
  const Close = use(DialogCloseContext)
  if (!Close) throw new Error('outside of a dialog')
  return <Close asChild>{children}</Close>
}

const loadConfirmDialog = () => import('./confirm-open.tsx')
const OpenConfirm = lazy(loadConfirmDialog, OpenFailure)

export type ConfirmProps = OverlayProps & {
  title: string
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  /** The consequence, as a verb: « Supprimer la facture ». */
  action: string
  onConfirm: () => unknown
  tone?: 'danger' | 'primary'
}

/** Asks before something that cannot be taken back; stays open and says why when it fails. */
export function Confirm(props: ConfirmProps) {
  const { alone, startsOpen, needed } = useOverlayOpening(loadConfirmDialog, props)
  return <Suspense fallback={alone}>{needed ? <OpenConfirm {...props} startsOpen={startsOpen} /> : alone}</Suspense>
}
