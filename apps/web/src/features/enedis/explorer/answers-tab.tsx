import { useMemo, useState } from 'react'
import { SERIES_TYPES } from '../../../lib/distributor-labels.ts'
import { energy, plural } from '../../../lib/format.ts'
import { DataTable } from '../../../ui/chart/data-table.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { chartData } from '../../../ui/curve-explorer/model.ts'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Select } from '../../../ui/select.tsx'
import { TraceView } from '../trace/trace-view.tsx'
import { drawnOf, missingIn, type One } from './model.ts'
import type { Answers } from './use-series.ts'

/** « 2 980 valeurs au pas de 15 minutes, aucune manquante, 8,70 MWh ». */
function factsOf(series: One[]) {
  const sum = (count: (one: One) => number) => series.reduce((total, one) => total + count(one), 0)
  const missing = sum(missingIn)
  const lost = missing === 0 ? 'aucune manquante' : plural(missing, 'manquante')
  const values = plural(
    sum(({ watts }) => watts.length),
    'valeur',
  )
  return `${values} au pas de ${series[0]?.step ?? 0}\u00a0minutes, ${lost}, ${energy(sum(({ energyWh }) => energyWh))}.`
}

function Parsed({ series, label }: { series: One[]; label: string }) {
  const data = useMemo(() => {
    const drawn = drawnOf(series)
    return drawn && chartData(drawn.series, drawn, measures.power)
  }, [series])
  if (!data) return <p className="text-body text-ink-soft">Aucune valeur dans cette réponse.</p>
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <p className="text-body text-ink-soft">{factsOf(series)}</p>
      <DataTable data={data} label={label} />
    </div>
  )
}

/** What was understood, beside what was received: one series at a time. */
export function AnswersTab({ answers, acc }: { answers: Answers; acc: string }) {
  const [chosen, setChosen] = useState('')
  const answer = answers.find(({ type }) => type === chosen) ?? answers[0]
  if (!answer) return <p className="text-body text-ink-soft">Aucune réponse n’a été reçue.</p>
  const name = SERIES_TYPES[answer.type]
  return (
    <div className="@container grid gap-5 [&>*]:min-w-0">
      <div className="max-w-72">
        <FieldFrame id="answer" label="Réponse">
          <Select
            id="answer"
            value={answer.type}
            onChange={(event) => setChosen(event.target.value)}
            options={answers.map(({ type }) => ({ value: type, label: SERIES_TYPES[type] }))}
          />
        </FieldFrame>
      </div>
      <div className="grid items-start gap-6 @2xl:grid-cols-2 [&>*]:min-w-0">
        <Parsed key={answer.type} series={answer.series} label={`Valeurs lues\u00a0: ${name}`} />
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
