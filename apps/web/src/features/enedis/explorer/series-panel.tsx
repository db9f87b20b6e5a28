import { addDays, monthOf } from '@voisol/energy/calendar'
import { formatPrm as spaced } from '../../../lib/energy-labels.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FaultNote } from '../../../ui/fault.tsx'
import { Link } from '../../../ui/link.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { AgreementSummary } from './agreements.tsx'
import { AnswersTab } from './answers-tab.tsx'
import { ExplorerImportDialog } from './import-dialog.tsx'
import { LazyCurveExplorer } from './lazy-curve.tsx'
import { type AgreementMember, isTooLong, listSeriesTypes, MAX_SERIES_DAYS, parseChosenTypes } from './model.ts'
import { QuantitiesTab } from './quantities-tab.tsx'
import { SeriesTypeChoice } from './type-choice.tsx'
import { useExplorerChoice } from './use-choice.ts'
import { type SeriesRequest, useAgreementSeries } from './use-series.ts'

const PERIOD_UNITS = ['day', 'week', 'month', 'range'] as const

type SeriesResult = ReturnType<typeof useAgreementSeries>

function CurveTab({ found, title, label }: { found: SeriesResult; title: string; label: string }) {
  const { drawn, answers, waiting, error, retry } = found
  // One cause often refuses every series alike: it is said once.
  const faults = new Map(
    answers.flatMap(({ trace }) => (trace.fault ? [[trace.fault.code, trace.fault] as const] : [])),
  )
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      {error && <ErrorState error={error} onRetry={retry} />}
      {[...faults.values()].map((fault) => (
        <FaultNote key={fault.code} fault={fault} />
      ))}
      {waiting && !drawn && <Skeleton className="h-96 w-full" />}
      {drawn && <LazyCurveExplorer title={title} {...drawn} label={label} />}
      {!waiting && !drawn && !error && faults.size === 0 && (
        <EmptyState
          title="Aucune série sur cette période"
          why="Le distributeur n’a rien donné pour ces jours. Choisissez une autre période ou un autre point."
          because="chosen-here"
        />
      )}
    </div>
  )
}

type Props = { agreement: AgreementSummary; point: AgreementMember | undefined; through: SeriesRequest['through'] }

const SeriesActions = ({ agreement, point, from, to }: Omit<Props, 'through'> & { from: string; to: string }) =>
  agreement.operationId === null ? (
    <p className="prose-width text-[0.8125rem] text-ink-soft">
      Aucune opération d’ici ne porte le numéro {agreement.acc}&nbsp;:{' '}
      <Link to="/acc-operations" className="text-link">
        inscrivez-le sur la sienne
      </Link>{' '}
      pour importer ses données.
    </p>
  ) : (
    <ExplorerImportDialog operationId={agreement.operationId} name={agreement.name} point={point} from={from} to={to} />
  )

type SeriesTabsProps = {
  found: SeriesResult
  request: SeriesRequest
  point: AgreementMember | undefined
  label: string
}

function SeriesTabs({ found, request, point, label }: SeriesTabsProps) {
  const { tab, choose } = useExplorerChoice()
  return (
    <Tabs
      label="Vues des séries"
      value={tab ?? 'courbe'}
      onChange={(next) => choose({ tab: next })}
      tabs={[
        {
          value: 'courbe',
          label: 'Courbe',
          content: (
            <CurveTab found={found} title={point ? 'Séries du point' : 'Séries de la convention'} label={label} />
          ),
        },
        {
          value: 'reponses',
          label: 'Tableau et JSON',
          content: found.waiting ? (
            <Skeleton className="h-96 w-full" />
          ) : (
            <AnswersTab answers={found.answers} acc={request.acc} />
          ),
        },
        {
          value: 'quantites',
          label: 'Quantités définitives',
          content: <QuantitiesTab asked={request} point={point} />,
        },
      ]}
    />
  )
}

/** The series of an agreement or of one of its points: drawn, read, and as they came. */
export function SeriesPanel({ agreement, point, through }: Props) {
  const today = getTodayInParis()
  // The distributor settles a month once it is over: the last one holds something.
  const [period, setPeriod] = usePeriod('month', addDays(monthOf(today), -1))
  const { types: typesParam, choose } = useExplorerChoice()
  const possible = listSeriesTypes(point)
  const types = parseChosenTypes(possible, typesParam)
  const { from } = period
  // What is not over yet cannot be asked for.
  const to = period.to < today ? period.to : today
  const isPeriodTooLong = isTooLong(from, period.to)
  const request: SeriesRequest = { acc: agreement.acc, prm: point?.prm, from, to, through }
  const seriesResult = useAgreementSeries(request, types, !isPeriodTooLong && from < to)
  const title = point ? point.label || spaced(point.prm) : agreement.name || agreement.acc
  return (
    <Card title={title} actions={<SeriesActions agreement={agreement} point={point} from={from} to={to} />}>
      <div className="grid gap-5 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod} units={PERIOD_UNITS} max={today} />
        <SeriesTypeChoice possible={possible} chosen={types} onChange={(next) => choose({ types: next.join(',') })} />
        {isPeriodTooLong ? (
          <EmptyState
            title={`Plus de ${MAX_SERIES_DAYS} jours à la fois`}
            why={`Le distributeur donne ces séries par ${MAX_SERIES_DAYS} jours au plus\u00a0: choisissez une période plus courte.`}
            because="chosen-here"
          />
        ) : (
          <SeriesTabs found={seriesResult} request={request} point={point} label={formatPeriodLabel(period)} />
        )}
      </div>
    </Card>
  )
}
