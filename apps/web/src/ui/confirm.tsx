import { type ReactNode, Suspense } from 'react'
import { lazy } from './lazy.tsx'
import { OpenFailure } from './not-opened.tsx'
import { type OverlayProps, useOverlayOpening } from './opening.ts'

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
