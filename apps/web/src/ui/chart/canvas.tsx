import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { cx } from '../cx.ts'
import { onPaper } from '../on-paper.ts'
import { alignedData, chartOptions } from './options.ts'
import type { ChartData, Span } from './types.ts'
import { zoomAround } from './zoom.ts'

type CanvasProps = {
  data: ChartData
  nights: Span[]
  span: Span
  index: number | null
  onIndex: (index: number | null) => void
  onSpan: (span: Span) => void
  className: string
}

const inParis = (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Europe/Paris')

/** The wheel zooms where the pointer is, with Ctrl only: alone it scrolls the page. */
const wheelZoom = (plot: uPlot, span: () => Span, onSpan: (span: Span) => void) => (event: WheelEvent) => {
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  const instant = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x')
  onSpan(zoomAround(span(), instant, event.deltaY > 0 ? 1.25 : 0.8))
}

/** The drawing alone; loaded with its library only where a chart is shown. */
export default function Canvas({ data, nights, span, index, onIndex, onSpan, className }: CanvasProps) {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const listeners = useRef({ onIndex, onSpan })
  const shown = useRef(span)
  listeners.current = { onIndex, onSpan }
  shown.current = span

  useEffect(() => {
    const element = holder.current
    if (!element) return
    const forward = {
      onIndex: (next: number | null) => listeners.current.onIndex(next),
      onSpan: (next: Span) => listeners.current.onSpan(next),
    }
    const drawn = new uPlot(chartOptions(data, nights, element, forward, inParis), alignedData(data), element)
    plot.current = drawn
    drawn.setScale('x', { min: shown.current[0], max: shown.current[1] })
    const onWheel = wheelZoom(drawn, () => shown.current, forward.onSpan)
    element.addEventListener('wheel', onWheel, { passive: false })
    const fit = () => drawn.setSize({ width: Math.min(element.clientWidth, paper.most), height: element.clientHeight })
    const paper = onPaper(fit)
    const watcher = new ResizeObserver(fit)
    watcher.observe(element)
    return () => {
      element.removeEventListener('wheel', onWheel)
      watcher.disconnect()
      paper.stop()
      drawn.destroy()
    }
  }, [data, nights])

  useEffect(() => plot.current?.setScale('x', { min: span[0], max: span[1] }), [span])

  // The keyboard moves the same cursor as the pointer.
  useEffect(() => {
    const drawn = plot.current
    const instant = index === null ? undefined : data.times[index]
    if (!drawn || instant === undefined || drawn.cursor.idx === index) return
    drawn.setCursor({ left: drawn.valToPos(instant, 'x'), top: 10 })
  }, [index, data])

  return <div ref={holder} className={cx(className, 'w-full min-w-0 overflow-hidden')} />
}
