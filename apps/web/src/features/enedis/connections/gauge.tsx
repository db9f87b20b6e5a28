import { number } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'

const ALMOST = 0.8

type GaugeProps = {
  label: string
  used: number
  limit: number
  /** Using all of it is the usual pace, not a shortage. */
  pace?: boolean
}

/** How much of a quota is used, in figures and as a bar; nearly all of it is worth a colour. */
export function Gauge({ label, used, limit, pace = false }: GaugeProps) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-[0.8125rem]">
        <span className="text-ink-soft">{label}</span>
        <span className="tabular whitespace-nowrap">
          {number(used)} sur {number(limit)}
        </span>
      </div>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-slate-200">
        <div
          className={cx(
            'h-full rounded-full transition-[width] duration-200',
            pace || share < ALMOST ? 'bg-primary' : share < 1 ? 'bg-local' : 'bg-danger',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}
