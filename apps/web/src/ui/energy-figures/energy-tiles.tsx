import type { Summary } from '@voisol/contract/energy'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { productionParts } from '../stack/parts.ts'
import { ShareFigures } from '../stack/share-bar.tsx'
import { Tile } from '../tile.tsx'
import { changeOf, earlierOf } from './change.ts'
import { type LineKey, linesOf } from './lines.ts'
import { StorageStrip } from './storage-strip.tsx'

type Trend = Parameters<typeof Tile>[0]['trend']

type EnergyTilesProps = {
  summary: Summary
  shown: readonly LineKey[]
  /** The days just before, to follow « par rapport à », where nothing is known of the year before. */
  before: string
  className: string
  labels?: Partial<Record<LineKey, string>>
  trends?: Partial<Record<LineKey, Trend>>
  children?: ReactNode
}

/** Figures of a period side by side. What is not allocated yet is part of the production, told with it. */
export function EnergyTiles({ summary, shown, before, className, labels, trends, children }: EnergyTilesProps) {
  const lines = linesOf(summary)
  const earlier = earlierOf(summary, before)
  const { current } = summary
  const pending = current.pendingProduced > 0
  return (
    <div className={cx('grid gap-4', className)}>
      {shown.map((key) => (
        <Tile
          key={key}
          label={labels?.[key] ?? lines[key].label}
          figure={lines[key].figure}
          note={lines[key].note}
          change={changeOf(lines[key], current, earlier)}
          trend={trends?.[key]}
        >
          {key === 'produced' && (pending || current.storage) && <ShareFigures parts={productionParts(current)} />}
        </Tile>
      ))}
      {children}
      {current.storage && <StorageStrip storage={current.storage} />}
    </div>
  )
}
