import { useEffect } from 'react'

const POLL_MS = 2000

/** Asks again at once, then every two seconds while something is at work. */
export function useRefetchWhileWorking(atWork: boolean, refetch: (options: { cancelRefetch: boolean }) => unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetch is another function at each render
  useEffect(() => {
    void refetch({ cancelRefetch: false })
    if (!atWork) return
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), POLL_MS)
    return () => clearInterval(timer)
  }, [atWork])
}
