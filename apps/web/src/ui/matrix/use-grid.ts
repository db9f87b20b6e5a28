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

/** Scrolling, the window of drawn cells, and one cell in the tab order that the arrow keys move. */
export function useGrid(rows: number, columns: number, first: number, onSelect?: (cell: CellAt) => void) {
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

  const onKeyDown = (event: KeyboardEvent) => {
    const element = view.current
    const next = nextCell(active, event.key, event.ctrlKey, rows, columns)
    if (event.key === 'Enter' || event.key === ' ') onSelect?.(active)
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
    onSelect?.(cell)
  }
  const held = { row: Math.min(active.row, rows - 1), column: Math.min(active.column, columns - 1) }
  return {
    view,
    active: held,
    choose,
    onKeyDown,
    rows: visible(scroll.top, scroll.height, ROW, rows),
    columns: visible(scroll.left, scroll.width - first, CELL, columns),
  }
}
