import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { alignedData, chartOptions } from './options.ts'
import type { ChartData, Span } from './types.ts'

type CanvasProps = {
  data: ChartData
  nights: Span[]
  span: Span
  index: number | null
  onIndex: (index: number | null) => void
  onSpan: (span: Span) => void
}

const inParis = (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Europe/Paris')

/** The drawing alone; loaded with its library only where a chart is shown. */
export default function Canvas({ data, nights, span, index, onIndex, onSpan }: CanvasProps) {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const listeners = useRef({ onIndex, onSpan })
  const start = useRef(span)
  listeners.current = { onIndex, onSpan }
  start.current = span

  useEffect(() => {
    const element = holder.current
    if (!element) return
    const forward = {
      onIndex: (next: number | null) => listeners.current.onIndex(next),
      onSpan: (next: Span) => listeners.current.onSpan(next),
    }
    const drawn = new uPlot(chartOptions(data, nights, element, forward, inParis), alignedData(data), element)
    plot.current = drawn
    drawn.setScale('x', { min: start.current[0], max: start.current[1] })
    const watcher = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: drawn.height }))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
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

  return <div ref={holder} className="h-[300px] w-full min-w-0 overflow-hidden" />
}
