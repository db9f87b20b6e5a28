import { useEffect } from 'react'

const IDLE_TIMEOUT_MS = 4000

/** What the next gesture needs is fetched while nothing else is going on, so that it opens at once. */
export function usePreload(load: () => Promise<unknown>[]) {
  useEffect(() => {
    // What fails here is asked for again when it is used.
    const run = () => void Promise.allSettled(load())
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(run, IDLE_TIMEOUT_MS)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(handle)
  }, [load])
}
