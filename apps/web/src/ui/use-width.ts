import { useEffect, useRef, useState } from 'react'

/** The width of an element as it changes; `start` until it is measured. */
export function useWidth<E extends HTMLElement>(start: number) {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(start)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return [ref, width] as const
}
