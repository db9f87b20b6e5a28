import { formatEnergy, formatPercent } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'

const MAX_DISPLAYED_RATIO = 1.25
const getToneClass = (ratio: number) =>
  ratio >= 0.85 ? 'bg-success' : ratio >= 0.6 ? 'bg-(--data-local)' : 'bg-danger'

/** What the plant gave against what was expected of it, which the upright mark stands for. */
export const PerformanceBar = ({ ratio, expected }: { ratio: number | null; expected: number | null }) =>
  ratio === null ? (
    <span className="text-ink-soft">Pas de référence</span>
  ) : (
    <span
      className="inline-flex items-center gap-2"
      title={expected === null ? undefined : `Attendu\u00a0: ${formatEnergy(expected)}`}
    >
      <span aria-hidden="true" className="relative h-2 w-20 rounded-full bg-slate-200">
        <span
          className={cx('block h-full rounded-full', getToneClass(ratio))}
          style={{ width: `${(Math.min(MAX_DISPLAYED_RATIO, ratio) / MAX_DISPLAYED_RATIO) * 100}%` }}
        />
        <span className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `${100 / MAX_DISPLAYED_RATIO}%` }} />
      </span>
      <span className="tabular">{formatPercent(ratio, 0)}</span>
    </span>
  )
