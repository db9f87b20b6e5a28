import type { EnergySummary } from '@voisol/contract/energy'
import type { StorageTotals } from '@voisol/contract/energy-figures'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import type { ReactNode } from 'react'
import { cardClass, Figure } from '../card.tsx'
import { cx } from '../cx.ts'
import { buildProductionParts } from '../stack/energy-parts.ts'
import { ShareFigures } from '../stack/share-bar.tsx'
import { KpiTile } from '../tile.tsx'
import {
  buildEnergyLines,
  buildStorageLines,
  chooseComparisonBase,
  computeChange,
  type EnergyLineKey,
} from './energy-figures.tsx'

type Trend = Parameters<typeof KpiTile>[0]['trend']

type EnergyTilesProps = {
  summary: EnergySummary
  shown: readonly EnergyLineKey[]
  /** The days just before, to follow « par rapport à », where nothing is known of the year before. */
  before: string
  className: string
  labels?: Partial<Record<EnergyLineKey, string>>
  trends?: Partial<Record<EnergyLineKey, Trend>>
  children?: ReactNode
}

/** Figures of a period side by side. What is not allocated yet is part of the production, told with it. */
export function EnergyTiles({ summary, shown, before, className, labels, trends, children }: EnergyTilesProps) {
  const lines = buildEnergyLines(summary)
  const earlier = chooseComparisonBase(summary, before)
  const { current } = summary
  const pending = current.pendingProduced > 0
  return (
    <div className={cx('grid gap-4', className)}>
      {shown.map((key) => (
        <KpiTile
          key={key}
          label={labels?.[key] ?? lines[key].label}
          figure={lines[key].figure}
          note={lines[key].note}
          change={computeChange(lines[key], current, earlier)}
          trend={trends?.[key]}
        >
          {key === 'produced' && (pending || current.storage) && <ShareFigures parts={buildProductionParts(current)} />}
        </KpiTile>
      ))}
      {children}
      {current.storage && <StorageStrip storage={current.storage} />}
    </div>
  )
}

/** What batteries did, beside what was produced and consumed: the width of the row is theirs. */
const StorageStrip = ({ storage }: { storage: StorageTotals }) => (
  <section
    aria-label="Batterie"
    className={cx(cardClass, 'col-span-full grid min-w-0 gap-4 p-5 sm:flex sm:flex-wrap sm:items-start sm:gap-x-12')}
  >
    <h2 className="inline-flex items-center gap-2 text-body font-medium text-ink-soft sm:pt-0.5">
      <BatteryCharging aria-hidden="true" className="size-5 text-storage" strokeWidth={1.75} />
      Batterie
    </h2>
    {buildStorageLines(storage).map(({ label, figure, note }) => (
      <dl key={label} className="grid gap-1">
        <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
        <dd>
          <Figure className="text-xl leading-none font-semibold tracking-tight">{figure}</Figure>
          <span className="mt-1 block text-[0.8125rem] text-ink-soft">{note}</span>
        </dd>
      </dl>
    ))}
  </section>
)
