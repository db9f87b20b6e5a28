import { energy, percent } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'

const MOST = 1.25
const tone = (ratio: number) => (ratio >= 0.85 ? 'bg-success' : ratio >= 0.6 ? 'bg-(--data-local)' : 'bg-danger')

/** What the plant gave against what was expected of it, which the upright mark stands for. */
export const Performance = ({ ratio, expected }: { ratio: number | null; expected: number | null }) =>
  ratio === null ? (
    <span className="text-ink-soft">Pas de référence</span>
  ) : (
    <span
      className="inline-flex items-center gap-2"
      title={expected === null ? undefined : `Attendu\u00a0: ${energy(expected)}`}
    >
      <span aria-hidden="true" className="relative h-2 w-20 rounded-full bg-slate-200">
        <span
          className={cx('block h-full rounded-full', tone(ratio))}
          style={{ width: `${(Math.min(MOST, ratio) / MOST) * 100}%` }}
        />
        <span className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `${100 / MOST}%` }} />
      </span>
      <span className="tabular">{percent(ratio, 0)}</span>
    </span>
  )
