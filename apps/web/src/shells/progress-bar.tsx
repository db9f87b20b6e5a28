import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { computeProgress, PROGRESS_TIMES } from '../lib/navigation.ts'

/** Runs on each change of path, from the moment it is asked for; a change of query or anchor stays on the page. */
export function ProgressBar() {
  const here = useLocation().pathname
  const target = useNavigation().location?.pathname ?? here
  const [percent, setPercent] = useState<number | null>(null)
  const last = useRef(target)
  useEffect(() => {
    if (last.current === target) return
    last.current = target
    const timers = PROGRESS_TIMES.map((ms) => setTimeout(() => setPercent(computeProgress(ms)), ms))
    // A newer route change takes the bar over; leaving it half-way would freeze it on the screen.
    return () => timers.forEach(clearTimeout)
  }, [target])
  if (percent === null) return null
  return (
    <div aria-hidden="true" data-print="hide" className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5">
      <div
        className="h-full origin-left bg-primary transition-transform duration-100 ease-out"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  )
}
