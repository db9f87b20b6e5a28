import { createContext, useContext, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { shownDays, withContext } from './context.ts'

/** What the shell, which knows the table, says of an address: whether its reader may open it, and whether its screen looks at a period. */
/** `shows`: there is a screen there, and its reader may open it. */
export type DoorsOf = {
  opens: (to: string) => boolean
  keepsPeriod: (to: string) => boolean
  shows?: (to: string) => boolean
}

export const Doors = createContext<DoorsOf>({ opens: () => true, keepsPeriod: () => false })

/** Every link to a screen goes through here: whether it is open, and the address that takes along what one was looking at. */
export function useDoor() {
  const { opens, keepsPeriod, shows = opens } = useContext(Doors)
  const { pathname, search } = useLocation()
  const shown = useSyncExternalStore(shownDays.subscribe, shownDays.read, shownDays.read)
  const carry = (to: string) =>
    keepsPeriod(to.startsWith('?') ? pathname : to) ? withContext(withContext(to, search), shown) : to
  return { opens, shows, carry }
}
