import { cx } from '../../../ui/cx.ts'
import { percentText, WHOLE } from './form.ts'

const wordsOf = (sum: number) =>
  sum === WHOLE
    ? 'toute la production est répartie'
    : sum < WHOLE
      ? `${percentText(WHOLE - sum)} restent à répartir et deviendraient du surplus`
      : `${percentText(sum - WHOLE)} de trop`

/** How far the shares are from one whole, in words and as a bar. */
export function SumCheck({ sum, label = 'Somme des parts' }: { sum: number; label?: string }) {
  const tone = sum > WHOLE ? 'bg-danger' : sum === WHOLE ? 'bg-success' : 'bg-(--data-local)'
  return (
    <div className="grid min-w-56 grow gap-1.5">
      <p role="status" className={cx('text-body', sum > WHOLE && 'text-danger')}>
        {label}&nbsp;: <span className="tabular font-semibold">{percentText(sum)}</span>, {wordsOf(sum)}.
      </p>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-200">
        <div className={cx('h-full rounded-full', tone)} style={{ width: `${Math.min(100, (sum / WHOLE) * 100)}%` }} />
      </div>
    </div>
  )
}
