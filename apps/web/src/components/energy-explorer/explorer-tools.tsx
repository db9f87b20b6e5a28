import type { EndpointInput } from '@voisol/contract/endpoint'
import { energy } from '@voisol/contract/energy'
import { type ReactNode, useState } from 'react'
import { toChoices } from '../../lib/energy-labels.ts'
import { ExportMenu, SERIES_FORMATS, toSeriesFormat } from '../export-menu.tsx'
import { Select } from '../input.tsx'
import type { Period } from '../period/period.ts'
import { canDrawCurve, type DisplayUnit, startsAsCurve } from './columns.ts'
import { SegmentedControl } from './explorer-controls.tsx'
import type { ComparisonMode } from './use-energy.ts'
import { COMPARISON_MODE_LABELS } from './use-energy.ts'

/** How a stretch of time is looked at: in which unit, beside which other one, as bars or as curves. */
export function useDrawingOptions(period: Period) {
  const [displayUnit, setTold] = useState<DisplayUnit>('energy')
  const [against, setAgainst] = useState<ComparisonMode>('none')
  const [wantsCurve, setWanted] = useState<boolean | null>(null)
  const curve = canDrawCurve(period) && (wantsCurve ?? startsAsCurve(period))
  /** Another length of time is drawn as suits it again. */
  const renew = (next: Period) => next.unit !== period.unit && setWanted(null)
  return { told: displayUnit, setTold, against, setAgainst, curve, setCurve: setWanted, renew }
}

type Selection = Omit<EndpointInput<typeof energy.export>['query'], 'format'>

/** A file has all the steps of a curve, however few of them a screen can show. */
const FINEST_STEP = { granularity: '15min' } as const

type ExplorerToolsProps = {
  period: Period
  drawing: ReturnType<typeof useDrawingOptions>
  /** Whether a price is known, so that euros can be told. */
  priced: boolean
  selection: Selection
  exportLabel?: string
  children?: ReactNode
}

type DisplayUnitSelectProps = { told: DisplayUnit; priced: boolean; onChange: (told: DisplayUnit) => void }

const DisplayUnitSelect = ({ told, priced, onChange }: DisplayUnitSelectProps) => (
  <SegmentedControl
    label="Unité affichée"
    value={told}
    onChange={onChange}
    options={[
      { value: 'energy', label: 'kWh' },
      { value: 'money', label: '€', disabled: !priced },
      { value: 'carbon', label: 'CO₂' },
    ]}
  />
)

const ComparisonSelect = ({
  value,
  onChange,
}: {
  value: ComparisonMode
  onChange: (value: ComparisonMode) => void
}) => (
  <Select
    aria-label="Comparer avec"
    className="sm:w-48"
    value={value}
    onChange={(event) =>
      onChange(toChoices(COMPARISON_MODE_LABELS).find((one) => one.value === event.target.value)?.value ?? 'none')
    }
    options={toChoices(COMPARISON_MODE_LABELS)}
  />
)

/** The choices above a picture, and what it shows to take away. */
export const ExplorerTools = ({ period, drawing, priced, selection, exportLabel, children }: ExplorerToolsProps) => (
  <div data-print="hide" className="mb-4 flex flex-wrap items-center gap-2">
    <DisplayUnitSelect told={drawing.told} priced={priced} onChange={drawing.setTold} />
    <SegmentedControl
      label="Dessin"
      value={drawing.curve ? 'curve' : 'bars'}
      onChange={(value) => drawing.setCurve(value === 'curve')}
      options={[
        { value: 'bars', label: 'Barres', disabled: period.unit === 'day' },
        { value: 'curve', label: 'Courbe', disabled: !canDrawCurve(period) },
      ]}
    />
    {children}
    <ComparisonSelect value={drawing.against} onChange={drawing.setAgainst} />
    <span className="sm:ml-auto">
      <ExportMenu
        endpoint={energy.export}
        formats={SERIES_FORMATS}
        {...(exportLabel && { label: exportLabel })}
        input={(format) => ({
          query: { ...selection, ...(drawing.curve && FINEST_STEP), format: toSeriesFormat(format) },
        })}
      />
    </span>
  </div>
)
