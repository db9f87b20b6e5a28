import { useRef } from 'react'
import { focusHeading } from '../lib/navigation.ts'
import { cx } from './cx.ts'

export const overlayClass = 'fixed inset-0 z-50 animate-appear bg-ink/40'
export const panelClass = cx(
  'fixed inset-4 z-50 m-auto h-fit max-h-[calc(100dvh-2rem)] animate-appear overflow-y-auto',
  'rounded-card border border-line bg-card p-6 shadow-float focus-visible:outline-none',
)

/** For a dialog without a trigger of its own: focus goes back to what had it, or to the page where that is gone. */
export function useReturnFocus(hasTrigger: boolean) {
  const origin = useRef<Element | null>(null)
  const page = useRef('')
  if (hasTrigger) return {}
  return {
    onOpenAutoFocus: () => {
      origin.current = document.activeElement
      page.current = location.pathname
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      // What closed the dialog may have led elsewhere: the new page has taken focus.
      if (location.pathname !== page.current) return
      const back = origin.current
      if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus()
      else focusHeading()
    },
  }
}
