import { useLayoutEffect, useRef, useState } from 'react'

const roomOf = (element: HTMLElement) => {
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}

/** The width inside an element as it changes, known before the first picture is drawn; `start` where nothing measures it. */
export function useWidth<E extends HTMLElement>(start: number) {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(start)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    setWidth(roomOf(element))
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return [ref, width] as const
}
