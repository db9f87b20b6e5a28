import type { SimulatorResult } from '@voisol/energy/simulator'
import { formatKwh, formatNumber, formatPercent } from '../../lib/format.ts'
import { Figure } from '../../ui/figure.tsx'

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

export const SimulatorResults = ({ result }: { result: SimulatorResult }) => (
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
