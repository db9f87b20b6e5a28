import BatteryCharging from 'lucide-react/icons/battery-charging'
import { getMeterSideLabel } from '../lib/energy-labels.ts'

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
