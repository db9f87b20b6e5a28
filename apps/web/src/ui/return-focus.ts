import { useRef } from 'react'
import { focusHeading } from '../lib/navigation.ts'

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
