import { type HourlyEstimate, simulator } from '@voisol/contract/simulator'
import { SIMULATOR_CONSTANTS, type SimulatorResult, simulateProject } from '@voisol/energy/simulator'
import { scaleLinear } from 'd3-scale'
import FileDown from 'lucide-react/icons/file-down'
import { useId, useRef, useState } from 'react'
import { BarChart } from '../../components/bar-chart.tsx'
import { Button } from '../../components/button.tsx'
import { Figure } from '../../components/card.tsx'
import { ChartFrame } from '../../components/chart/chart-frame.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FieldFrame, Input, type Option, Select } from '../../components/input.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { useWidth } from '../../components/use-width.ts'
import { call, download } from '../../lib/call.ts'
import { explainError } from '../../lib/error-text.ts'
import { formatKwh, formatNumber, formatPercent } from '../../lib/format.ts'
import { formatPrice } from '../../lib/price.ts'
import {
  BUILDING_OPTIONS,
  EMPTY_VALUES,
  getNumberError,
  NUMBER_FIELDS,
  PLACE_OPTIONS,
  PROJECT_OPTIONS,
  type SimulatorFormValues,
  type SimulatorInputs,
  toSimulatorInputs,
} from './simulator-fields.ts'

/** Prices of energy are told in one unit, wherever they stand. */
const SAVED_PRICE = formatPrice(Math.round(SIMULATOR_CONSTANTS.eurosPerKwh * 10_000))
const ESTIMATE_NOTE = `Estimation indicative\u00a0: 1\u202f100\u00a0kWh par kWc et par an, ${SAVED_PRICE} autoconsommé, 1\u202f200\u00a0€ par kWc installé, aides estimées à 30\u00a0% de l’investissement dans la limite de 50\u202f000\u00a0€, 0,221\u00a0kg de CO₂ évité par kWh.`

type Estimate = { inputs: SimulatorInputs; result: SimulatorResult }

function EstimatePanel({ inputs, result }: Estimate) {
  const [busy, setBusy] = useState(false)
  const report = async () => {
    setBusy(true)
    await downloadSimulationReport(inputs, result)
    setBusy(false)
  }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <SimulatorResults result={result} />
      <Projection result={result} />
      <p className="text-[0.875rem] text-ink-soft">{ESTIMATE_NOTE}</p>
      <Button
        variant="secondary"
        className="justify-self-start"
        icon={<FileDown aria-hidden="true" />}
        loading={busy}
        onClick={() => void report()}
      >
        Télécharger le rapport PDF
      </Button>
      <HourlyEstimatePanel key={JSON.stringify(inputs)} inputs={inputs} quick={result} />
    </div>
  )
}

/** What a project may give, in three minutes. */
export function SimulatorDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState(EMPTY_VALUES)
  const [estimate, setEstimate] = useState<Estimate | null>(null)
  const panel = useRef<HTMLElement>(null)
  const calculate = () => {
    const inputs = toSimulatorInputs(typed)
    setEstimate({ inputs, result: simulateProject(inputs) })
    requestAnimationFrame(() => panel.current?.focus())
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      width={estimate ? 'full' : 'medium'}
      title="Simuler mon projet"
      description="Production, économies et retour sur investissement&nbsp;: une estimation en 3 minutes, sur 20 ans."
    >
      <div className={estimate ? 'grid gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]' : undefined}>
        <SimulatorForm
          typed={typed}
          change={(more) => setTyped((old) => ({ ...old, ...more }))}
          onCalculate={calculate}
        />
        {estimate && (
          <section ref={panel} tabIndex={-1} aria-label="Résultats de la simulation" className="min-w-0 outline-none">
            <EstimatePanel {...estimate} />
          </section>
        )}
      </div>
    </Dialog>
  )
}

/** The report of an estimate, saved by the browser; a failure is told as the specification words it. */
async function downloadSimulationReport(inputs: SimulatorInputs, result: SimulatorResult) {
  const { productionAnnuelle, tauxAutoconsommation, economiesAnnuelles, investissementNet, roi, co2Evite } = result
  const results = { productionAnnuelle, tauxAutoconsommation, economiesAnnuelles, investissementNet, roi, co2Evite }
  try {
    await download(simulator.report, { body: { simulationData: { ...inputs, ...results } } })
  } catch {
    window.alert('Erreur lors de la génération du rapport PDF')
  }
}

const formatEuros = (value: number) => `${formatNumber(value, 0)}\u00a0€`

/** The figures of the estimate, named as in its report. */
const buildFigures = (result: SimulatorResult) => [
  { label: 'Production annuelle', figure: formatKwh(result.productionAnnuelle, 0) },
  { label: 'Taux d’autoconsommation', figure: formatPercent(result.tauxAutoconsommation / 100) },
  {
    label: 'Économies annuelles',
    figure: `${formatEuros(result.economiesAnnuelles)}/an`,
    note:
      result.economiesParLogement !== null
        ? `soit ${formatEuros(result.economiesParLogement)} par logement`
        : undefined,
  },
  {
    label: 'Investissement net',
    figure: formatEuros(result.investissementNet),
    note: `après ${formatEuros(result.aide)} d’aides estimées`,
  },
  { label: 'Retour sur investissement', figure: result.roi === null ? '–' : `${formatNumber(result.roi, 1)}\u00a0ans` },
  { label: 'CO₂ évité', figure: `${formatNumber(result.co2Evite, 0)}\u00a0kg/an` },
]

const SimulatorResults = ({ result }: { result: SimulatorResult }) => (
  <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line lg:grid-cols-3">
    {buildFigures(result).map(({ label, figure, note }) => (
      <div key={label} className="bg-card p-4">
        <dt className="text-[0.875rem] text-ink-soft">{label}</dt>
        <dd className="mt-1">
          <Figure className="text-2xl font-semibold tracking-tight">{figure}</Figure>
          {note && <span className="block text-[0.8125rem] text-ink-soft">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

const HEIGHT = 240
const MARGIN = { top: 16, right: 12, bottom: 28, left: 84 }

type ProjectionYear = { id: string; annee: number; economiesCumulees: number; bilan: number }
const COLUMNS: Column<ProjectionYear>[] = [
  { header: 'Année', cell: (year) => year.annee },
  { header: 'Économies cumulées', align: 'end', cell: (year) => formatEuros(year.economiesCumulees) },
  { header: 'Bilan après investissement', align: 'end', cell: (year) => formatEuros(year.bilan) },
]

function describeProjection({ projection, roi, investissementNet }: SimulatorResult) {
  const last = projection.at(-1)?.bilan ?? 0
  const end = `Au bout de vingt ans, le bilan est de ${formatEuros(last)} pour ${formatEuros(investissementNet)} investis.`
  if (roi === null) return `Sans économie annuelle, l’investissement n’est pas remboursé. ${end}`
  return roi <= 20
    ? `L’investissement est remboursé après ${formatNumber(roi, 1)}\u00a0ans environ. ${end}`
    : `L’investissement n’est pas remboursé en vingt ans. ${end}`
}

function ProjectionChart({ projection, investissementNet, roi }: SimulatorResult) {
  const [ref, width] = useWidth<HTMLDivElement>(560)
  const points = [{ annee: 0, bilan: -investissementNet }, ...projection]
  const values = points.map(({ bilan }) => bilan)
  const x = scaleLinear([0, 20], [MARGIN.left, width - MARGIN.right])
  const y = scaleLinear([Math.min(0, ...values), Math.max(1, ...values)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4)
  const bar = Math.max(4, (x(1) - x(0)) * 0.62)
  return (
    <div ref={ref} className="w-full min-w-0">
      <svg aria-hidden="true" width={width} height={HEIGHT} className="tabular block max-w-full text-[12px]">
        {y.ticks(4).map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line x1={MARGIN.left} x2={width} stroke={tick === 0 ? '#64748B' : '#EEF2F6'} />
            <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" fill="#475569">
              {formatEuros(tick)}
            </text>
          </g>
        ))}
        {points.map(({ annee, bilan }) => (
          <rect
            key={annee}
            x={x(annee) - (annee === 0 ? 0 : bar / 2)}
            width={annee === 0 ? bar / 2 : bar}
            y={Math.min(y(0), y(bilan))}
            height={Math.max(1, Math.abs(y(bilan) - y(0)))}
            rx="2"
            fill={bilan < 0 ? '#CBD5E1' : 'var(--data-local)'}
          />
        ))}
        {roi !== null && roi <= 20 && (
          <g transform={`translate(${x(roi)} 0)`}>
            <line y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} stroke="#0F172A" strokeDasharray="3 3" />
            <text x={roi > 12 ? -6 : 6} y={MARGIN.top + 4} textAnchor={roi > 12 ? 'end' : 'start'} fill="#0F172A">
              Retour&nbsp;: {formatNumber(roi, 1)} ans
            </text>
          </g>
        )}
        {[0, 5, 10, 15, 20].map((year) => (
          <text
            key={year}
            x={x(year)}
            y={HEIGHT - 9}
            textAnchor={year === 0 ? 'start' : year === 20 ? 'end' : 'middle'}
            fill="#475569"
          >
            {year === 0 && width > 480 ? 'Mise en service' : width > 480 ? `${year} ans` : year}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** What the investment gives back over twenty years. */
const Projection = ({ result }: { result: SimulatorResult }) => (
  <ChartFrame
    title="Projection sur 20 ans"
    summary={describeProjection(result)}
    drawing={<ProjectionChart {...result} />}
    table={
      <Table
        label="Projection sur 20 ans"
        rows={result.projection.map((year) => ({ ...year, id: String(year.annee) }))}
        columns={COLUMNS}
      />
    }
  />
)

type FormChange = (more: Partial<SimulatorFormValues>) => void
type NumberName = (typeof NUMBER_FIELDS)[number]

const SelectField = ({ label, value, options, onValue }: SelectFieldProps) => {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional>
      <Select id={id} value={value} options={options} onChange={(event) => onValue(event.target.value)} />
    </FieldFrame>
  )
}
type SelectFieldProps = { label: string; value: string; options: Option[]; onValue: (value: string) => void }

type NumberFieldProps = {
  name: NumberName
  label: string
  hint: string
  optional?: boolean
  typed: SimulatorFormValues
  change: FormChange
}

function NumberField({ name, label, hint, optional, typed, change }: NumberFieldProps) {
  const id = useId()
  const fault = getNumberError(name, typed[name])
  return (
    <FieldFrame id={id} label={label} hint={hint} optional={optional} error={fault}>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={typed[name]}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-hint ${id}-error` : `${id}-hint`}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </FieldFrame>
  )
}

type SimulatorFormProps = { typed: SimulatorFormValues; change: FormChange; onCalculate: () => void }

function SimulatorForm({ typed, change, onCalculate }: SimulatorFormProps) {
  const choose = (more: Record<string, string>) => change(more as Partial<SimulatorFormValues>) // the options of the list are its values
  const empty = !typed.puissanceInstallee.trim() || !typed.consommationAnnuelle.trim()
  const hasError = NUMBER_FIELDS.some((name) => getNumberError(name, typed[name]))
  return (
    <form
      noValidate
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onCalculate()
      }}
    >
      <SelectField
        label="Type de projet"
        value={typed.projectType}
        options={PROJECT_OPTIONS}
        onValue={(projectType) => choose({ projectType })}
      />
      <SelectField
        label="Localisation"
        value={typed.location}
        options={PLACE_OPTIONS}
        onValue={(location) => choose({ location })}
      />
      <NumberField
        name="nbLogements"
        label="Nombre de logements"
        hint="Ou de participants."
        optional
        typed={typed}
        change={change}
      />
      <NumberField
        name="puissanceInstallee"
        label="Puissance installée"
        hint="En kWc&nbsp;; environ 1 kWc pour 5 m² de panneaux."
        typed={typed}
        change={change}
      />
      <NumberField
        name="consommationAnnuelle"
        label="Consommation annuelle"
        hint="En kWh, de tous les participants réunis."
        typed={typed}
        change={change}
      />
      <SelectField
        label="Type de bâtiment"
        value={typed.typeBatiment}
        options={BUILDING_OPTIONS}
        onValue={(typeBatiment) => choose({ typeBatiment })}
      />
      <Button type="submit" size="large" disabled={empty || hasError}>
        Calculer mon estimation
      </Button>
    </form>
  )
}

const MONTH_LABELS = ['Janv.', 'Févr.', 'Mars', 'Avr.', 'Mai', 'Juin', 'Juil.', 'Août', 'Sept.', 'Oct.', 'Nov.', 'Déc.']
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
function HourlyEstimatePanel({ inputs, quick }: { inputs: SimulatorInputs; quick: SimulatorResult }) {
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
