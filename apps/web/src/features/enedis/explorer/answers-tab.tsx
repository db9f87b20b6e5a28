import { useMemo, useState } from 'react'
import { SERIES_TYPE_LABELS } from '../../../lib/distributor-labels.ts'
import { formatCount, formatEnergy } from '../../../lib/format.ts'
import { DataTable } from '../../../ui/chart/data-table.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { buildChartData } from '../../../ui/curve-explorer/model.ts'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Select } from '../../../ui/select.tsx'
import { TraceView } from '../trace/trace-view.tsx'
import { type AgreementSeriesData, buildAgreementCurve, countMissingValues } from './model.ts'
import type { SeriesAnswers } from './use-series.ts'

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
