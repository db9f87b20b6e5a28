import { useState } from 'react'

/** From the first opening on: what opens over the page is fetched then, and stays to be able to close. */
export function useHasOpened(open: boolean): boolean {
  const [hasOpened, setWanted] = useState(open)
  if (open && !hasOpened) setWanted(true)
  return hasOpened || open
}
