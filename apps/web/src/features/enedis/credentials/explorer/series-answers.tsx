import { useQuery } from '@tanstack/react-query'
import { enedis } from '@voisol/contract/enedis'
import { useMemo, useState } from 'react'
import { DataTable } from '../../../../components/chart/chart-toolbar.tsx'
import { measures } from '../../../../components/curve-explorer/energy-measure.ts'
import { buildChartData } from '../../../../components/curve-explorer/explorer-model.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { FieldFrame, Select } from '../../../../components/input.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { formatMonthYear } from '../../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../../components/table.tsx'
import { SERIES_TYPE_LABELS } from '../../../../lib/distributor-labels.ts'
import { TIME_CLASS_LABELS } from '../../../../lib/energy-labels.ts'
import { formatCount, formatEnergy, formatKwh } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import { TraceView } from '../trace/trace-view.tsx'
import {
  type AgreementMember,
  type AgreementSeriesData,
  buildAgreementCurve,
  countMissingValues,
  getQuantityMonth,
  type SeriesAnswers,
  type SeriesRequest,
} from './agreement-series.ts'

/** « 2 980 valeurs au pas de 15 minutes, aucune manquante, 8,70 MWh ». */
function summarizeSeries(series: AgreementSeriesData[]) {
  const sum = (count: (one: AgreementSeriesData) => number) => series.reduce((total, one) => total + count(one), 0)
  const missing = sum(countMissingValues)
  const missingText = missing === 0 ? 'aucune manquante' : formatCount(missing, 'manquante')
  const values = formatCount(
    sum(({ watts }) => watts.length),
    'valeur',
  )
  return `${values} au pas de ${series[0]?.step ?? 0}\u00a0minutes, ${missingText}, ${formatEnergy(sum(({ energyWh }) => energyWh))}.`
}

function ParsedSeries({ series, label }: { series: AgreementSeriesData[]; label: string }) {
  const data = useMemo(() => {
    const curveData = buildAgreementCurve(series)
    return curveData && buildChartData(curveData.series, curveData, measures.power)
  }, [series])
  if (!data) return <p className="text-body text-ink-soft">Aucune valeur dans cette réponse.</p>
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p className="text-body text-ink-soft">{summarizeSeries(series)}</p>
      <DataTable data={data} label={label} />
    </div>
  )
}

/** What was understood, beside what was received: one series at a time. */
export function AnswersTab({ answers, acc }: { answers: SeriesAnswers; acc: string }) {
  const [chosen, setChosen] = useState('')
  const answer = answers.find(({ type }) => type === chosen) ?? answers[0]
  if (!answer) return <p className="text-body text-ink-soft">Aucune réponse n’a été reçue.</p>
  const name = SERIES_TYPE_LABELS[answer.type]
  return (
    <div className="@container grid gap-5 [&>*]:min-w-0">
      <div className="max-w-72">
        <FieldFrame id="answer" label="Réponse">
          <Select
            id="answer"
            value={answer.type}
            onChange={(event) => setChosen(event.target.value)}
            options={answers.map(({ type }) => ({ value: type, label: SERIES_TYPE_LABELS[type] }))}
          />
        </FieldFrame>
      </div>
      <div className="grid items-start gap-6 @2xl:grid-cols-2 [&>*]:min-w-0">
        <ParsedSeries key={answer.type} series={answer.series} label={`Valeurs lues\u00a0: ${name}`} />
        <TraceView
          trace={answer.trace}
          label={`Réponse brute\u00a0: ${name}`}
          file={`${acc}-${answer.type}.json`}
          tall
        />
      </div>
    </div>
  )
}

type QuantityTableRow = {
  id: string
  type: keyof typeof SERIES_TYPE_LABELS
  calendar: string
  name: string
  kwh: number
}

const getTimeClassLabel = (name: string) =>
  name in TIME_CLASS_LABELS ? TIME_CLASS_LABELS[name as keyof typeof TIME_CLASS_LABELS] : '' // a key of it
const columns: Column<QuantityTableRow>[] = [
  {
    header: 'Série et classe',
    cell: ({ type, name, calendar }) => (
      <>
        {SERIES_TYPE_LABELS[type]}
        <span className="block text-[0.8125rem] text-ink-soft">
          {[name, getTimeClassLabel(name), calendar].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    header: 'Quantité',
    align: 'end',
    cell: ({ kwh: quantity }) => <span className="whitespace-nowrap">{formatKwh(quantity, 0)}</span>,
  },
]

type Props = { asked: SeriesRequest; point: AgreementMember | undefined }

function QuantityTable({ asked, point }: { asked: SeriesRequest; point: AgreementMember }) {
  const { acc, through } = asked
  const { from, to } = getQuantityMonth(asked.from, getTodayInParis())
  const direction = point.role === 'prod' ? ('production' as const) : ('consumption' as const)
  const input = { params: { acc }, query: { ...through, from, to, prm: point.prm, direction } }
  const { data, error, refetch } = useQuery(query(enedis.quantities, input))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  return (
    <div className="@container grid gap-3 [&>*]:min-w-0">
      <p className="text-body text-ink-soft">
        Ce que le distributeur retient pour {formatMonthYear(from)}, en kilowattheures entiers par classe.
      </p>
      <div className="grid items-start gap-6 @2xl:grid-cols-2 [&>*]:min-w-0">
        {data.rows.length > 0 ? (
          <Table
            label="Quantités définitives"
            rows={data.rows.map((row) => ({ ...row, id: `${row.type}-${row.calendar}-${row.name}` }))}
            columns={columns}
          />
        ) : (
          <p className="text-body text-ink-soft">Aucune quantité dans cette réponse.</p>
        )}
        <TraceView
          trace={data.trace}
          label="Réponse brute&nbsp;: quantités définitives"
          file={`${acc}-${point.prm}.json`}
        />
      </div>
    </div>
  )
}

/** Of one point and one month that is over: what invoices will rest upon. */
export function QuantitiesTab({ asked, point }: Props) {
  const month = getQuantityMonth(asked.from, getTodayInParis())
  if (!point)
    return (
      <p className="text-body text-ink-soft">
        Les quantités définitives se demandent point par point&nbsp;: choisissez un point de la convention.
      </p>
    )
  if (!month.isOver)
    return (
      <p className="text-body text-ink-soft">
        Le distributeur arrête ses quantités une fois le mois terminé&nbsp;: {formatMonthYear(month.from)} ne l’est pas
        encore. Choisissez un mois passé.
      </p>
    )
  return <QuantityTable asked={asked} point={point} />
}
