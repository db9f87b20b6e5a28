import { type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { Skeleton } from '../skeleton.tsx'
import { Legend } from './legend.tsx'
import { sentenceAt } from './text.ts'
import { Toolbar } from './toolbar.tsx'
import type { ChartData, Span } from './types.ts'
import { clampSpan, shift, wholeSpan, zoom } from './zoom.ts'

const Canvas = lazy(() => import('./canvas.tsx'))

type Move = { index: number } | { span: Span }

/** What a key does: arrows move the cursor, page keys the period, plus and minus the zoom. */
function moveFor(key: string, index: number, span: Span, times: number[]): Move | null {
  const last = times.length - 1
  const moves: Record<string, () => Move> = {
    ArrowLeft: () => ({ index: Math.max(0, index - 1) }),
    ArrowRight: () => ({ index: Math.min(last, index + 1) }),
    Home: () => ({ index: 0 }),
    End: () => ({ index: last }),
    PageUp: () => ({ span: shift(span, -1, times) }),
    PageDown: () => ({ span: shift(span, 1, times) }),
    '+': () => ({ span: zoom(span, 0.5, times) }),
    '-': () => ({ span: zoom(span, 2, times) }),
    Escape: () => ({ span: wholeSpan(times) }),
  }
  return moves[key]?.() ?? null
}

/** A curve whose cursor is a slider: the keyboard and a screen reader walk it as the pointer does. */
export function Curve({ data, nights, label }: { data: ChartData; nights: Span[]; label: string }) {
  const { times } = data
  const [span, setSpan] = useState<Span>(() => wholeSpan(times))
  const [index, setIndex] = useState<number | null>(null)
  const [shownTimes, setShownTimes] = useState(times)
  if (shownTimes !== times) {
    setShownTimes(times)
    setSpan(wholeSpan(times))
    setIndex(null)
  }
  const firstVisible = Math.max(
    0,
    times.findIndex((instant) => instant >= span[0]),
  )
  const length = span[1] - span[0]
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveFor(event.key, index ?? firstVisible - 1, span, times)
    if (!move) return
    event.preventDefault()
    if ('span' in move) return setSpan(move.span)
    setIndex(move.index)
    const instant = times[move.index] ?? span[0]
    if (instant < span[0] || instant > span[1]) setSpan(clampSpan([instant - length / 2, instant + length / 2], times))
  }
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <Legend data={data} index={index} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Curseur de la courbe\u00a0: ${label}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={index ?? firstVisible}
        aria-valuetext={sentenceAt(data, index ?? firstVisible)}
        onKeyDown={onKeyDown}
        className="min-w-0 rounded-md"
      >
        <Suspense fallback={<Skeleton className="h-[300px] w-full" />}>
          <Canvas
            data={data}
            nights={nights}
            span={span}
            index={index}
            onIndex={setIndex}
            onSpan={(next) => setSpan(zoom(next, 1, times))}
          />
        </Suspense>
      </div>
      <Toolbar span={span} times={times} onSpan={setSpan} />
    </div>
  )
}
