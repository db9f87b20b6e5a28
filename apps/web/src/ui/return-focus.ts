import { useRef } from 'react'
import { focusHeading } from '../lib/navigation.ts'

/** For a dialog without a trigger of its own: focus goes back to what had it, or to the page where that is gone. */
export function useReturnFocus(hasTrigger: boolean) {
  const origin = useRef<Element | null>(null)
  if (hasTrigger) return {}
  return {
    onOpenAutoFocus: () => {
      origin.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const back = origin.current
      if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus()
      else focusHeading()
    },
  }
}
