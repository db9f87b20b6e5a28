import { type ReactElement, Suspense, use } from 'react'
import { Closing, type DialogProps } from './dialog-parts.ts'
import { lazy } from './lazy.tsx'
import { NotOpened } from './not-opened.tsx'
import { useOpening } from './opening.ts'

const load = () => import('./dialog-open.tsx')
const OpenDialog = lazy(load, NotOpened)

/** Focus stays inside, Escape closes, and focus goes back where it came from. */
export function Dialog(props: DialogProps) {
  const { alone, startsOpen, needed } = useOpening(load, props)
  return <Suspense fallback={alone}>{needed ? <OpenDialog {...props} startsOpen={startsOpen} /> : alone}</Suspense>
}

/** Around a button of `actions` that only closes. */
export function DialogClose({ children }: { children: ReactElement }) {
  const Close = use(Closing)
  if (!Close) throw new Error('outside of a dialog')
  return <Close asChild>{children}</Close>
}
