import { type ReactNode, Suspense } from 'react'
import { lazy } from './lazy.tsx'
import { NotOpened } from './not-opened.tsx'
import { type Openable, useOpening } from './opening.ts'

const load = () => import('./confirm-open.tsx')
const OpenConfirm = lazy(load, NotOpened)

export type ConfirmProps = Openable & {
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
  const { alone, startsOpen, needed } = useOpening(load, props)
  return <Suspense fallback={alone}>{needed ? <OpenConfirm {...props} startsOpen={startsOpen} /> : alone}</Suspense>
}
