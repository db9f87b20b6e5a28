import { cx } from '../../../ui/cx.ts'
import { formatSharePercent, WHOLE_SHARE } from './form.ts'

const describeSum = (sum: number) =>
  sum === WHOLE_SHARE
    ? 'toute la production est répartie'
    : sum < WHOLE_SHARE
      ? `${formatSharePercent(WHOLE_SHARE - sum)} restent à répartir et deviendraient du surplus`
      : `${formatSharePercent(sum - WHOLE_SHARE)} de trop`

/** How far the shares are from one whole, in words and as a bar. */
export function ShareSumCheck({ sum, label = 'Somme des parts' }: { sum: number; label?: string }) {
  const tone = sum > WHOLE_SHARE ? 'bg-danger' : sum === WHOLE_SHARE ? 'bg-success' : 'bg-(--data-local)'
  return (
    <div className="grid min-w-56 grow gap-1.5">
      <p role="status" className={cx('text-body', sum > WHOLE_SHARE && 'text-danger')}>
        {label}&nbsp;: <span className="tabular font-semibold">{formatSharePercent(sum)}</span>, {describeSum(sum)}.
      </p>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-200">
        <div
          className={cx('h-full rounded-full', tone)}
          style={{ width: `${Math.min(100, (sum / WHOLE_SHARE) * 100)}%` }}
        />
      </div>
    </div>
  )
}
