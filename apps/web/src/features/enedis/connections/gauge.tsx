import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'

const WARNING_SHARE = 0.8

type QuotaGaugeProps = {
  label: string
  used: number
  limit: number
  /** Using all of it is the usual pace, not a shortage. */
  pace?: boolean
}

/** How much of a quota is used, in figures and as a bar; nearly all of it is worth a colour. */
export function QuotaGauge({ label, used, limit, pace = false }: QuotaGaugeProps) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-[0.8125rem]">
        <span className="text-ink-soft">{label}</span>
        <span className="tabular whitespace-nowrap">
          {formatNumber(used)} sur {formatNumber(limit)}
        </span>
      </div>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-slate-200">
        <div
          className={cx(
            'h-full rounded-full transition-[width] duration-200',
            pace || share < WARNING_SHARE ? 'bg-primary' : share < 1 ? 'bg-local' : 'bg-danger',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}
