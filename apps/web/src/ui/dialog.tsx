import { type ReactElement, Suspense, use } from 'react'
import { DialogCloseContext, type DialogProps } from './dialog-parts.ts'
import { lazy } from './lazy.tsx'
import { OpenFailure } from './not-opened.tsx'
import { useOverlayOpening } from './opening.ts'

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
