import { type HourlyEstimate, simulator } from '@voisol/contract/simulator'
import type { SimulatorResult } from '@voisol/energy/simulator'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { formatKwh, formatNumber, formatPercent } from '../../lib/format.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import type { SimulatorInputs } from './fields.ts'

const MONTH_LABELS = ['Janv.', 'Févr.', 'Mars', 'Avr.', 'Mai', 'Juin', 'Juil.', 'Août', 'Sept.', 'Oct.', 'Nov.', 'Déc.']
const formatEuros = (value: number) => `${formatNumber(value, 0)}\u00a0€`
const formatYears = (value: number | null) => (value === null ? '–' : `${formatNumber(value, 1)}\u00a0ans`)

type EstimatePair = { quick: SimulatorResult; hourly: HourlyEstimate }

const buildComparisonLines = ({ quick, hourly }: EstimatePair) => [
  ['Production annuelle', formatKwh(quick.productionAnnuelle, 0), formatKwh(hourly.productionAnnuelle, 0)],
  ['Énergie autoconsommée', formatKwh(quick.energieAutoconsommee, 0), formatKwh(hourly.energieAutoconsommee, 0)],
  [
    'Taux d’autoconsommation',
    formatPercent(quick.tauxAutoconsommation / 100),
    formatPercent(hourly.tauxAutoconsommation / 100),
  ],
  ['Économies annuelles', formatEuros(quick.economiesAnnuelles), formatEuros(hourly.economiesAnnuelles)],
  ['Retour sur investissement', formatYears(quick.roi), formatYears(hourly.roi)],
]

const EstimateComparison = (props: EstimatePair) => (
  <table className="w-full table-fixed border-collapse text-[0.8125rem] sm:text-[0.9375rem]">
    <caption className="sr-only">Estimation rapide et profil horaire</caption>
    <thead>
      <tr className="border-b border-line text-left text-[0.8125rem] text-ink-soft">
        <th scope="col" className="py-2 font-normal">
          Résultat
        </th>
        <th scope="col" className="py-2 text-right font-normal">
          Formule rapide
        </th>
        <th scope="col" className="py-2 text-right font-normal">
          Profil horaire
        </th>
      </tr>
    </thead>
    <tbody>
      {buildComparisonLines(props).map(([label, quick, hourly]) => (
        <tr key={label} className="border-b border-line last:border-0">
          <th scope="row" className="py-2 pr-2 text-left font-normal">
            {label}
          </th>
          <td className="tabular py-2 text-right text-ink-soft">{quick}</td>
          <td className="tabular py-2 pl-2 text-right font-medium">{hourly}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const HourlyResult = ({ quick, hourly }: EstimatePair) => (
  <div className="grid gap-6 [&>*]:min-w-0">
    <EstimateComparison quick={quick} hourly={hourly} />
    <div>
      <p className="font-medium">D’où vient l’écart</p>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-ink-soft">
        {hourly.differences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
    <BarChart
      title="Mois par mois"
      unit="kWh"
      summary={`Sur l’année, ${formatKwh(hourly.energieAutoconsommee, 0)} sont consommés sur place et ${formatKwh(hourly.surplus, 0)} partent en surplus.`}
      series={[
        { label: 'Autoconsommé', color: 'var(--data-local)' },
        { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'hatched' },
      ]}
      bars={hourly.months.map(({ production, autoconsommation }, index) => ({
        label: MONTH_LABELS[index] ?? '',
        values: [autoconsommation, production - autoconsommation],
      }))}
    />
  </div>
)

/** Apart from the quick formula: the same project, hour by hour over a year. */
export function HourlyEstimatePanel({ inputs, quick }: { inputs: SimulatorInputs; quick: SimulatorResult }) {
  const [hourly, setHourly] = useState<HourlyEstimate | null>(null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const refine = async () => {
    setBusy(true)
    setFault('')
    await call(simulator.refine, { body: inputs }).then(setHourly, (error) => setFault(explainError(error)))
    setBusy(false)
  }
  return (
    <section
      aria-labelledby="refined"
      className="grid gap-4 rounded-card border border-line bg-page p-4 sm:p-5 [&>*]:min-w-0"
    >
      <div>
        <h3 id="refined" className="text-lg font-semibold">
          Affiner avec un profil horaire
        </h3>
        <p className="mt-1 text-ink-soft">
          La formule rapide compte en moyennes. Le profil horaire confronte, heure par heure, le soleil de votre région
          et une consommation type&nbsp;: c’est le modèle de nos études.
        </p>
      </div>
      {hourly ? (
        <HourlyResult quick={quick} hourly={hourly} />
      ) : (
        <Button variant="secondary" className="justify-self-start" loading={busy} onClick={() => void refine()}>
          Affiner mon estimation
        </Button>
      )}
      {fault && (
        <p role="alert" className="text-danger">
          {fault}
        </p>
      )}
    </section>
  )
}
