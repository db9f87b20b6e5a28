import { percent } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'

const tone = (share: number) => (share >= 0.98 ? 'bg-success' : share >= 0.9 ? 'bg-(--data-local)' : 'bg-danger')

/** Share of the readings expected over the last 30 days that came, as a bar and in figures. */
export const Completeness = ({ share }: { share: number | null }) =>
  share === null ? (
    <span className="text-ink-soft">Rien d’attendu</span>
  ) : (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="h-1.5 w-16 overflow-hidden rounded-full bg-slate-200">
        <span className={cx('block h-full rounded-full', tone(share))} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="tabular">{percent(Math.floor(share * 1000) / 1000)}</span>
    </span>
  )
