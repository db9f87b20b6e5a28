import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

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

/** A page does not know how wide a sheet is: a drawing on a portrait A4, inside its card, has this much. */
const PRINT_WIDTH = 560

/** Whether the page is being printed: what is drawn meanwhile was not there to be told. */
const printState = { most: Number.POSITIVE_INFINITY }
if (typeof window !== 'undefined') {
  addEventListener('beforeprint', () => {
    printState.most = PRINT_WIDTH
  })
  addEventListener('afterprint', () => {
    printState.most = Number.POSITIVE_INFINITY
  })
}

/** How wide a drawing may be at `most`, now; `fit` is called before the page is printed and after. */
export function watchPrintWidth(fit: () => void) {
  addEventListener('beforeprint', fit)
  addEventListener('afterprint', fit)
  return {
    get most() {
      return printState.most
    },
    stop() {
      removeEventListener('beforeprint', fit)
      removeEventListener('afterprint', fit)
    },
  }
}
