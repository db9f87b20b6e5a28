import { useState } from 'react'

/** From the first opening on: what opens over the page is fetched then, and stays to be able to close. */
export function useOnceOpen(open: boolean): boolean {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return wanted || open
}
