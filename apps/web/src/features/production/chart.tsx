import { energy } from '@voisol/contract/energy'
import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { canCurve, startsAsCurve, type Told } from '../../ui/energy-explorer/columns.ts'
import { AgainstChoice, Segments, ToldChoice } from '../../ui/energy-explorer/controls.tsx'
import { Picture } from '../../ui/energy-explorer/picture.tsx'
import type { Against } from '../../ui/energy-explorer/use-energy.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ExportMenu, SERIES_FORMATS, seriesFormat } from '../../ui/export-menu.tsx'
import { periodLabel } from '../../ui/period/label.ts'
import { type Period, periodOf } from '../../ui/period/period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useProduction } from './use-production.ts'

type Props = { period: Period; operationId: string | undefined; onPeriod: (period: Period) => void }

const NOTHING = (
  <EmptyState
    title="Aucune production sur cette période"
    why="Aucun relevé de centrale n’a été reçu pour ces jours. Choisissez une autre période, ou importez les courbes d’une opération."
  />
)

/** The production of the period: what was shared, what was left, day by day. */
export function Chart({ period, operationId, onPeriod }: Props) {
  const [told, setTold] = useState<Told>('energy')
  const [against, setAgainst] = useState<Against>('none')
  const [wanted, setWanted] = useState<boolean | null>(null)
  const curve = canCurve(period) && (wanted ?? startsAsCurve(period))
  const { summary, own, drawn, granularity, unitPrice } = useProduction({ period, operationId, curve, told, against })
  const shown: Told = told === 'money' && unitPrice === null ? 'energy' : told
  return (
    <Card>
      <div data-print="hide" className="mb-4 flex flex-wrap items-center gap-2">
        <ToldChoice told={shown} priced={unitPrice !== null} onChange={setTold} />
        <Segments
          label="Dessin"
          value={curve ? 'curve' : 'bars'}
          onChange={(value) => setWanted(value === 'curve')}
          options={[
            { value: 'bars', label: 'Barres', disabled: period.unit === 'day' },
            { value: 'curve', label: 'Courbe', disabled: !canCurve(period) },
          ]}
        />
        <AgainstChoice value={against} onChange={setAgainst} />
        <span className="sm:ml-auto">
          <ExportMenu
            endpoint={energy.export}
            formats={SERIES_FORMATS}
            input={(format) => ({
              query: { operationId, from: period.from, to: period.to, granularity, format: seriesFormat(format) },
            })}
          />
        </span>
      </div>
      {own.error && <ErrorState error={own.error} onRetry={own.refetch} />}
      {!drawn && !own.error && <Skeleton className="h-96 w-full" />}
      {drawn &&
        (drawn.series.some((one) => !one.compared) ? (
          <Picture
            title="Production de la période"
            {...drawn}
            told={shown}
            granularity={granularity}
            label={periodLabel(period)}
            knownUntil={summary.data?.receivedUntil ?? undefined}
            onOpen={(day) => onPeriod(periodOf(granularity === 'month' ? 'month' : 'day', day))}
          />
        ) : (
          NOTHING
        ))}
    </Card>
  )
}
