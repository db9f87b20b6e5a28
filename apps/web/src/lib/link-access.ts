import { createContext, useContext, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { carryPeriod, displayedDays } from './period-context.ts'

/** What the shell, which knows the table, says of an address: whether its reader may open it, and whether its screen looks at a period. */
/** `shows`: there is a screen there, and its reader may open it. */
type LinkAccess = {
  opens: (to: string) => boolean
  keepsPeriod: (to: string) => boolean
  shows?: (to: string) => boolean
}

export const LinkAccessContext = createContext<LinkAccess>({ opens: () => true, keepsPeriod: () => false })

/** Every link to a screen goes through here: whether it is open, and the address that takes along what one was looking at. */
export function useLinkAccess() {
  const { opens, keepsPeriod, shows = opens } = useContext(LinkAccessContext)
  const { pathname, search } = useLocation()
  const days = useSyncExternalStore(displayedDays.subscribe, displayedDays.read, displayedDays.read)
  const withPeriod = (to: string) =>
    keepsPeriod(to.startsWith('?') ? pathname : to) ? carryPeriod(carryPeriod(to, search), days) : to
  return { opens, shows, carry: withPeriod }
}
