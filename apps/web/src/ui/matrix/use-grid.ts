import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type CellAt, nextCell, scrollFor, visible } from './model.ts'

export const ROW = 34
export const CELL = 28
export const HEAD = 44

const scrollOf = (element: HTMLElement) => ({
  top: element.scrollTop,
  left: element.scrollLeft,
  width: element.clientWidth,
  height: element.clientHeight,
})

type Uses = {
  open: (cell: CellAt) => void
  /** What a press does, where it is not to open. */
  press?: (cell: CellAt) => void
  /** Keys that mean something else; says whether it took the key. */
  onKey?: (event: KeyboardEvent, cell: CellAt) => boolean
}

/** Scrolling, the window of drawn cells, and one cell in the tab order that the arrow keys move. */
export function useGrid(rows: number, columns: number, first: number, { open, press = open, onKey }: Uses) {
  const view = useRef<HTMLDivElement>(null)
  const [scroll, setScroll] = useState({ top: 0, left: 0, width: 1000, height: 480 })
  const [active, setActive] = useState<CellAt>({ row: 0, column: 0 })
  const follow = useRef(false)

  useEffect(() => {
    const element = view.current
    if (!element) return
    const read = () => setScroll(scrollOf(element))
    const watcher = new ResizeObserver(read)
    watcher.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [])

  // Before the old cell is gone for good: a focus that falls back to the page would lose the next key.
  useLayoutEffect(() => {
    if (!follow.current) return
    follow.current = false
    view.current
      ?.querySelector<HTMLElement>(`[data-cell="${active.row}-${active.column}"]`)
      ?.focus({ preventScroll: true })
  })

  const held = { row: Math.min(active.row, rows - 1), column: Math.min(active.column, columns - 1) }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return // a checkbox of the first column has keys of its own
    const element = view.current
    const next = nextCell(held, event.key, event.ctrlKey, rows, columns)
    if (onKey?.(event, held)) event.stopPropagation()
    else if (event.key === 'Enter' || event.key === ' ') open(held)
    else if (!next || !element) return
    else {
      follow.current = true
      element.scrollTop = scrollFor(element.scrollTop, element.clientHeight - HEAD, ROW, next.row)
      element.scrollLeft = scrollFor(element.scrollLeft, element.clientWidth - first, CELL, next.column)
      setScroll(scrollOf(element))
      setActive(next)
    }
    event.preventDefault()
  }
  const choose = (cell: CellAt) => {
    setActive(cell)
    press(cell)
  }
  return {
    view,
    active: held,
    choose,
    onKeyDown,
    rows: visible(scroll.top, scroll.height, ROW, rows),
    columns: visible(scroll.left, scroll.width - first, CELL, columns),
  }
}
