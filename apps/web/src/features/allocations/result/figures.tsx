import type { Summary, Totals } from '@voisol/contract/energy'
import { energy, money } from '../../../lib/format.ts'
import { monthLabel } from '../../../ui/period/label.ts'
import { type Period, previousOf, todayInParis } from '../../../ui/period/period.ts'
import { type Change, Tile } from '../../../ui/tile.tsx'
import { rate } from '../words.tsx'

type Line = {
  label: string
  figure: string
  of: (totals: Totals) => number | null
  good?: 'up' | 'down'
  note?: string
}

const linesOf = ({ current }: Summary): Line[] => [
  { label: 'Production', figure: energy(current.produced), of: (t) => t.produced, good: 'up' },
  {
    label: 'Énergie partagée',
    figure: energy(current.shared),
    of: (t) => t.shared,
    good: 'up',
    note: current.valueCents === null ? undefined : `Soit ${money(current.valueCents)} hors taxes.`,
  },
  {
    label: 'Surplus',
    figure: energy(current.surplus),
    of: (t) => t.surplus,
    note: 'Produit, mais consommé par personne ici.',
  },
  { label: 'Consommation', figure: energy(current.consumed), of: (t) => t.consumed },
  {
    label: 'Taux d’autoconsommation',
    figure: rate(current.selfConsumption),
    of: (t) => t.selfConsumption,
    good: 'up',
    note: 'Part de la production consommée par les participants.',
  },
  {
    label: 'Taux d’autoproduction',
    figure: rate(current.selfProduction),
    of: (t) => t.selfProduction,
    good: 'up',
    note: 'Part de la consommation couverte par le soleil.',
  },
]

const beforeWords = (period: Period): string => {
  const before = previousOf(period)
  const words = {
    day: 'la veille',
    week: 'la semaine précédente',
    month: monthLabel(before.from),
    year: `l’année ${before.from.slice(0, 4)}`,
    range: 'la période précédente',
  }
  return words[period.unit]
}

function changeOf({ of, good }: Line, { current, previous, to }: Summary, against: string): Change | undefined {
  const [now, before] = [of(current), previous && of(previous)]
  // A period that is not over would always look poorer than the whole one before it.
  if (now === null || !before || to > todayInParis()) return undefined
  return { ratio: now / before - 1, against, good }
}

export const Figures = ({ summary, period }: { summary: Summary; period: Period }) => (
  <section aria-label="Chiffres de la période" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
    {linesOf(summary).map((line) => (
      <Tile
        key={line.label}
        label={line.label}
        figure={line.figure}
        note={line.note}
        change={changeOf(line, summary, beforeWords(period))}
      />
    ))}
  </section>
)
