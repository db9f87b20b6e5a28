import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { watchPrintWidth } from './on-paper.ts'

const getInnerWidth = (element: HTMLElement) => {
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
    const fit = (room = getInnerWidth(element)) => setWidth(Math.min(room, printWidth.most))
    // At once: what is printed is what stands when the event has been heard.
    const printWidth = watchPrintWidth(() => flushSync(() => fit()))
    fit()
    const watcher = new ResizeObserver(([entry]) => entry && fit(entry.contentRect.width))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      printWidth.stop()
    }
  }, [])
  return [ref, width] as const
}
