import type { EnergySummary } from '@voisol/contract/energy'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { buildProductionParts } from '../stack/parts.ts'
import { ShareFigures } from '../stack/share-bar.tsx'
import { KpiTile } from '../tile.tsx'
import { chooseComparisonBase, computeChange } from './change.ts'
import { buildEnergyLines, type EnergyLineKey } from './lines.ts'
import { StorageStrip } from './storage-strip.tsx'

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
