import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { cx } from '../cx.ts'
import { watchPrintWidth } from '../use-width.ts'
import { zoomTimeRangeAround } from './chart-view.ts'
import { buildAlignedData, buildChartOptions } from './plot-options.ts'
import type { ChartData, TimeRange } from './series.ts'

type CanvasProps = {
  data: ChartData
  nights: TimeRange[]
  span: TimeRange
  index: number | null
  onIndex: (index: number | null) => void
  onSpan: (span: TimeRange) => void
  className: string
}

const toParisDate = (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Europe/Paris')

/** The wheel zooms where the pointer is, with Ctrl only: alone it scrolls the page. */
const createWheelZoom =
  (plot: uPlot, span: () => TimeRange, onSpan: (span: TimeRange) => void) => (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const instant = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x')
    onSpan(zoomTimeRangeAround(span(), instant, event.deltaY > 0 ? 1.25 : 0.8))
  }

/** The drawing alone; loaded with its library only where a chart is shown. */
export default function Canvas({ data, nights, span, index, onIndex, onSpan, className }: CanvasProps) {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const listeners = useRef({ onIndex, onSpan })
  const currentRange = useRef(span)
  listeners.current = { onIndex, onSpan }
  currentRange.current = span

  useEffect(() => {
    const element = container.current
    if (!element) return
    const forward = {
      onIndex: (next: number | null) => listeners.current.onIndex(next),
      onSpan: (next: TimeRange) => listeners.current.onSpan(next),
    }
    const uplot = new uPlot(
      buildChartOptions(data, nights, element, forward, toParisDate),
      buildAlignedData(data),
      element,
    )
    plot.current = uplot
    uplot.setScale('x', { min: currentRange.current[0], max: currentRange.current[1] })
    const onWheel = createWheelZoom(uplot, () => currentRange.current, forward.onSpan)
    element.addEventListener('wheel', onWheel, { passive: false })
    const fit = () =>
      uplot.setSize({ width: Math.min(element.clientWidth, printLayout.most), height: element.clientHeight })
    const printLayout = watchPrintWidth(fit)
    const watcher = new ResizeObserver(fit)
    watcher.observe(element)
    return () => {
      element.removeEventListener('wheel', onWheel)
      watcher.disconnect()
      printLayout.stop()
      uplot.destroy()
    }
  }, [data, nights])

  useEffect(() => plot.current?.setScale('x', { min: span[0], max: span[1] }), [span])

  // The keyboard moves the same cursor as the pointer.
  useEffect(() => {
    const uplot = plot.current
    const instant = index === null ? undefined : data.times[index]
    if (!uplot || instant === undefined || uplot.cursor.idx === index) return
    uplot.setCursor({ left: uplot.valToPos(instant, 'x'), top: 10 })
  }, [index, data])

  return <div ref={container} className={cx(className, 'w-full min-w-0 overflow-hidden')} />
}
