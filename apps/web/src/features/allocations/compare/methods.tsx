import type { Method } from '@voisol/contract/primitives'
import { energy, number } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { rate } from '../words.tsx'
import { coverageWords, fairness, hasBattery, storedOf, type Tried } from './model.ts'

const SHORT: Record<Method, string> = {
  default: 'Défaut',
  equal: 'Égales',
  static: 'Stat.',
  redistributed: 'Redis.',
  priority: 'Prio.',
  simple: 'Simple',
  complete: 'Compl.',
}
const LOCAL = { label: 'Énergie locale', color: 'var(--data-local)' }
const SURPLUS = { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'dotted' as const }
const DIRECT = { ...LOCAL, label: 'Partagé en direct' }
const STORED = { label: 'Stocké', color: 'var(--data-storage)', pattern: 'striped' as const }

/** Of what was produced: what batteries store is in it, what they give back is not. */
const sharedOf = ({ produced, surplus }: Tried) => produced - surplus

const summaryOf = (tried: Tried[], baseline: Tried | undefined) => {
  const best = tried.reduce<Tried | undefined>(
    (top, one) => (!top || sharedOf(one) > sharedOf(top) ? one : top),
    undefined,
  )
  if (!best) return ''
  const gain = baseline ? sharedOf(best) - sharedOf(baseline) : 0
  const words = gain > 0 ? `, ${energy(gain)} de plus qu’aujourd’hui` : ''
  return `La méthode qui partage le plus est «\u00a0${best.name}\u00a0»\u00a0: ${energy(sharedOf(best))}, soit ${rate(best.selfConsumption)} de la production${words}.`
}

export function MethodBars({ tried, baseline }: { tried: Tried[]; baseline: Tried | undefined }) {
  const stores = tried.some(hasBattery)
  const size = Math.max(...tried.map(({ produced }) => produced)) >= 1e6 ? 1e6 : 1e3
  return (
    <Card>
      <BarChart
        title={stores ? 'Ce que devient la production selon la méthode' : 'Énergie locale et surplus selon la méthode'}
        summary={summaryOf(tried, baseline)}
        unit={size === 1e6 ? 'MWh' : 'kWh'}
        series={stores ? [DIRECT, STORED, SURPLUS] : [LOCAL, SURPLUS]}
        bars={tried.map((one) => ({
          label: one.name,
          short: one.keyId ? one.name.replace('Version ', 'V') : SHORT[one.method],
          values: (stores
            ? [sharedOf(one) - storedOf(one), storedOf(one), one.surplus]
            : [sharedOf(one), one.surplus]
          ).map((value) => value / size),
        }))}
      />
    </Card>
  )
}

const signed = (wh: number) => (Math.abs(wh) < 1 ? 'identique' : `${wh > 0 ? '+' : '−'}${energy(Math.abs(wh))}`)
const basis = (label: string) => /\((.+)\)\s*$/.exec(label)?.[1]

const giniWords = (tried: Tried[]) =>
  tried
    .filter(({ inequality }) => inequality !== null)
    .map(({ name, inequality }) => `${name} ${number(inequality ?? 0, 2)}`)
    .join(', ')

const STORED_COLUMN: Column<Tried> = { header: 'Stocké', align: 'end', cell: (one) => energy(storedOf(one)) }

type MethodsTableProps = {
  tried: Tried[]
  baseline: Tried | undefined
  chosen: Tried | undefined
  onChoose: (id: string) => void
}

/** Every way to share on one line each. */
export function MethodsTable({ tried, baseline, chosen, onChoose }: MethodsTableProps) {
  const columns: Column<Tried>[] = [
    {
      header: 'Méthode',
      cell: ({ id, name, label }) => (
        <span className="block min-w-48 py-1.5">
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {name}
            {id === baseline?.id && <Badge tone="success">Aujourd’hui</Badge>}
          </span>
          {basis(label) && <span className="block text-[0.8125rem] text-ink-soft">{basis(label)}</span>}
        </span>
      ),
    },
    { header: 'Énergie locale', align: 'end', cell: ({ allocated }) => energy(allocated) },
    {
      header: 'Face à aujourd’hui',
      align: 'end',
      cell: ({ id, allocated }) => (id === baseline?.id || !baseline ? '–' : signed(allocated - baseline.allocated)),
    },
    ...(tried.some(hasBattery) ? [STORED_COLUMN] : []),
    { header: 'Autoconsommation', align: 'end', cell: ({ selfConsumption }) => rate(selfConsumption) },
    { header: 'Surplus', align: 'end', cell: ({ surplus }) => energy(surplus) },
    {
      header: 'Répartition',
      cell: (one) => (
        <span className="block whitespace-nowrap">
          {fairness(one.inequality)}
          <span className="block text-[0.8125rem] text-ink-soft">{coverageWords(one)}</span>
        </span>
      ),
    },
    {
      header: 'Détail',
      cell: ({ id, name }) => (
        <Button
          variant="secondary"
          size="small"
          aria-pressed={id === chosen?.id}
          aria-label={`Examiner ${name}`}
          className={id === chosen?.id ? 'border-primary-ink bg-primary-soft text-primary-ink' : undefined}
          onClick={() => onChoose(id)}
        >
          Examiner
        </Button>
      ),
    },
  ]
  return (
    <Card
      title="Toutes les méthodes"
      description="Calculées sur les relevés de la période, comme si chacune avait toujours été en vigueur."
    >
      <Table label="Méthodes comparées" rows={tried} columns={columns} />
      <p className="prose-width mt-3 text-[0.8125rem] text-ink-soft">
        Une répartition est «&nbsp;presque égale&nbsp;» quand chacun voit à peu près la même part de sa consommation
        couverte, et «&nbsp;très inégale&nbsp;» quand quelques-uns reçoivent l’essentiel. L’indice de Gini va de 0 (tous
        couverts de même) à 1 (tout pour un seul)&nbsp;: {giniWords(tried)}.
      </p>
    </Card>
  )
}
