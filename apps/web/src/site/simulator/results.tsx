import type { SimulatorResult } from '@voisol/energy/simulator'
import { kwh, number, percent } from '../../lib/format.ts'
import { Figure } from '../../ui/figure.tsx'

const euros = (value: number) => `${number(value, 0)}\u00a0€`

/** The figures of the estimate, named as in its report. */
const figures = (result: SimulatorResult) => [
  { label: 'Production annuelle', figure: kwh(result.productionAnnuelle, 0) },
  { label: 'Taux d’autoconsommation', figure: percent(result.tauxAutoconsommation / 100) },
  {
    label: 'Économies annuelles',
    figure: `${euros(result.economiesAnnuelles)}/an`,
    note: result.economiesParLogement !== null ? `soit ${euros(result.economiesParLogement)} par logement` : undefined,
  },
  {
    label: 'Investissement net',
    figure: euros(result.investissementNet),
    note: `après ${euros(result.aide)} d’aides estimées`,
  },
  { label: 'Retour sur investissement', figure: result.roi === null ? '–' : `${number(result.roi, 1)}\u00a0ans` },
  { label: 'CO₂ évité', figure: `${number(result.co2Evite, 0)}\u00a0kg/an` },
]

export const Results = ({ result }: { result: SimulatorResult }) => (
  <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line lg:grid-cols-3">
    {figures(result).map(({ label, figure, note }) => (
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
