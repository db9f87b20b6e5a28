import type { Input } from '@voisol/contract/endpoint'
import { energy } from '@voisol/contract/energy'
import { type ReactNode, useState } from 'react'
import { ExportMenu, SERIES_FORMATS, seriesFormat } from '../export-menu.tsx'
import type { Period } from '../period/period.ts'
import { canCurve, startsAsCurve, type Told } from './columns.ts'
import { AgainstChoice, Segments, ToldChoice } from './controls.tsx'
import type { Against } from './use-energy.ts'

/** How a stretch of time is looked at: in which unit, beside which other one, as bars or as curves. */
export function useDrawing(period: Period) {
  const [told, setTold] = useState<Told>('energy')
  const [against, setAgainst] = useState<Against>('none')
  const [wanted, setWanted] = useState<boolean | null>(null)
  const curve = canCurve(period) && (wanted ?? startsAsCurve(period))
  /** Another length of time is drawn as suits it again. */
  const renew = (next: Period) => next.unit !== period.unit && setWanted(null)
  return { told, setTold, against, setAgainst, curve, setCurve: setWanted, renew }
}

type Selection = Omit<Input<typeof energy.export>['query'], 'format'>

/** A file has all the steps of a curve, however few of them a screen can show. */
const STEPS = { granularity: '15min' } as const

type ExplorerToolsProps = {
  period: Period
  drawing: ReturnType<typeof useDrawing>
  /** Whether a price is known, so that euros can be told. */
  priced: boolean
  selection: Selection
  exportLabel?: string
  children?: ReactNode
}

/** The choices above a picture, and what it shows to take away. */
export const ExplorerTools = ({ period, drawing, priced, selection, exportLabel, children }: ExplorerToolsProps) => (
  <div data-print="hide" className="mb-4 flex flex-wrap items-center gap-2">
    <ToldChoice told={drawing.told} priced={priced} onChange={drawing.setTold} />
    <Segments
      label="Dessin"
      value={drawing.curve ? 'curve' : 'bars'}
      onChange={(value) => drawing.setCurve(value === 'curve')}
      options={[
        { value: 'bars', label: 'Barres', disabled: period.unit === 'day' },
        { value: 'curve', label: 'Courbe', disabled: !canCurve(period) },
      ]}
    />
    {children}
    <AgainstChoice value={drawing.against} onChange={drawing.setAgainst} />
    <span className="sm:ml-auto">
      <ExportMenu
        endpoint={energy.export}
        formats={SERIES_FORMATS}
        {...(exportLabel && { label: exportLabel })}
        input={(format) => ({ query: { ...selection, ...(drawing.curve && STEPS), format: seriesFormat(format) } })}
      />
    </span>
  </div>
)
