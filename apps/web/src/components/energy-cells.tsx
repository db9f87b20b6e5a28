import BatteryCharging from 'lucide-react/icons/battery-charging'
import { getMeterSideLabel } from '../lib/energy-labels.ts'
import { formatPercent } from '../lib/format.ts'
import { cx } from './cx.ts'

const getToneClass = (share: number) => (share >= 0.98 ? 'bg-success' : share >= 0.9 ? 'bg-local' : 'bg-danger')

/** Share of the readings expected that came, as a bar and in figures; 99,96 % is not all of them. */
export const CompletenessBar = ({ share }: { share: number | null }) =>
  share === null ? (
    <span className="text-ink-soft">Rien d’attendu</span>
  ) : (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden="true" className="h-1.5 w-16 overflow-hidden rounded-full bg-slate-200">
        <span className={cx('block h-full rounded-full', getToneClass(share))} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="tabular">{formatPercent(Math.floor(share * 1000) / 1000)}</span>
    </span>
  )

type MeterSideLabelProps = { direction: 'consumption' | 'production'; storage?: boolean | undefined }

/** What a meter counts; a battery has its sign beside the word. */
export const MeterSideLabel = (side: MeterSideLabelProps) =>
  side.storage ? (
    <span className="inline-flex items-center gap-1 align-bottom">
      <BatteryCharging aria-hidden="true" className="size-4 shrink-0 text-storage" strokeWidth={1.75} />
      {getMeterSideLabel(side)}
    </span>
  ) : (
    getMeterSideLabel(side)
  )
