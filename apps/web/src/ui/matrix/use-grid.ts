import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type CellPosition, computeScroll, computeVisibleRange, getNextCell } from './model.ts'

export const ROW_HEIGHT = 34
export const CELL_WIDTH = 28
export const HEADER_HEIGHT = 44

const readScroll = (element: HTMLElement) => ({
  top: element.scrollTop,
  left: element.scrollLeft,
  width: element.clientWidth,
  height: element.clientHeight,
})

type GridHandlers = {
  open: (cell: CellPosition) => void
  /** What a press does, where it is not to open. */
  press?: (cell: CellPosition) => void
  /** Keys that mean something else; says whether it took the key. */
  onKey?: (event: KeyboardEvent, cell: CellPosition) => boolean
}

/** Scrolling, the window of drawn cells, and one cell in the tab order that the arrow keys move. */
export function useGrid(rows: number, columns: number, first: number, { open, press = open, onKey }: GridHandlers) {
  const view = useRef<HTMLDivElement>(null)
  const [scroll, setScroll] = useState({ top: 0, left: 0, width: 1000, height: 480 })
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const focusPending = useRef(false)

  useEffect(() => {
    const element = view.current
    if (!element) return
    const read = () => setScroll(readScroll(element))
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
    if (!focusPending.current) return
    focusPending.current = false
    view.current
      ?.querySelector<HTMLElement>(`[data-cell="${active.row}-${active.column}"]`)
      ?.focus({ preventScroll: true })
  })

  const activeCell = { row: Math.min(active.row, rows - 1), column: Math.min(active.column, columns - 1) }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) return // a checkbox of the first column has keys of its own
    const element = view.current
    const next = getNextCell(activeCell, event.key, event.ctrlKey, rows, columns)
    if (onKey?.(event, activeCell)) event.stopPropagation()
    else if (event.key === 'Enter' || event.key === ' ') open(activeCell)
    else if (!next || !element) return
    else {
      focusPending.current = true
      element.scrollTop = computeScroll(element.scrollTop, element.clientHeight - HEADER_HEIGHT, ROW_HEIGHT, next.row)
      element.scrollLeft = computeScroll(element.scrollLeft, element.clientWidth - first, CELL_WIDTH, next.column)
      setScroll(readScroll(element))
      setActive(next)
    }
    event.preventDefault()
  }
  const choose = (cell: CellPosition) => {
    setActive(cell)
    press(cell)
  }
  return {
    view,
    active: activeCell,
    choose,
    onKeyDown,
    rows: computeVisibleRange(scroll.top, scroll.height, ROW_HEIGHT, rows),
    columns: computeVisibleRange(scroll.left, scroll.width - first, CELL_WIDTH, columns),
  }
}
