import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import type { EnergyScope } from '../../../../components/energy-explorer/use-energy.ts'
import type { FlowData } from '../../../../components/flow/flow-model.ts'
import type { Period } from '../../../../components/period/period.ts'
import { type Column, Table } from '../../../../components/table.tsx'
import { formatCount, formatEnergy } from '../../../../lib/format.ts'
import { useFlow } from '../use-members.ts'

type PairLine = { id: string; label: string; from: Map<string, number>; sum: number }

/** Consumers by what they got, then what each producer gave in all. */
function buildPairLines({ producers, consumers, links }: FlowData): PairLine[] {
  const lines = new Map(consumers.map(({ id, label }) => [id, { id, label, from: new Map<string, number>(), sum: 0 }]))
  const all: PairLine = { id: 'all', label: 'Tous les consommateurs', from: new Map(), sum: 0 }
  for (const { from, to, wh } of links) {
    for (const line of [lines.get(to), all]) {
      if (!line) continue
      line.from.set(from, (line.from.get(from) ?? 0) + wh)
      line.sum += wh
    }
  }
  const rows = [...lines.values()].sort((a, b) => b.sum - a.sum)
  return producers.length > 0 && rows.length > 0 ? [...rows, all] : []
}

/** The deeper the amber, the more energy went that way. */
const ShadedFigure = ({ wh, most, bold }: { wh: number; most: number; bold: boolean }) => (
  <span
    className={bold ? 'font-semibold' : 'inline-block min-w-24 rounded-sm px-2 py-1'}
    style={
      bold || most === 0
        ? undefined
        : { background: `color-mix(in oklab, var(--data-local) ${Math.round((wh / most) * 55)}%, white)` }
    }
  >
    {formatEnergy(wh)}
  </span>
)

function buildColumns({ producers }: FlowData, lines: PairLine[]): Column<PairLine>[] {
  const most = Math.max(0, ...lines.filter(({ id }) => id !== 'all').flatMap(({ from }) => [...from.values()]))
  const isAll = (line: PairLine) => line.id === 'all'
  return [
    {
      header: 'Consommateur',
      cell: (line) => <span className={isAll(line) ? 'font-semibold' : 'block min-w-40'}>{line.label}</span>,
    },
    ...producers.map(
      ({ id, label }): Column<PairLine> => ({
        header: label,
        align: 'end',
        cell: (line) => <ShadedFigure wh={line.from.get(id) ?? 0} most={most} bold={isAll(line)} />,
      }),
    ),
    {
      header: 'Total reçu',
      align: 'end',
      cell: ({ sum }) => <span className="font-semibold">{formatEnergy(sum)}</span>,
    },
  ]
}

/** Those who got most; the others are a press away. */
const VISIBLE_CONSUMERS = 12

/** What each consumer got from each producer. */
export function PairTable({ where, period }: { where: EnergyScope; period: Period }) {
  const { data } = useFlow(where, period)
  const [whole, setWhole] = useState(false)
  const lines = data ? buildPairLines(data) : []
  if (!data || lines.length === 0) return null
  const hidden = whole ? 0 : Math.max(0, lines.length - 1 - VISIBLE_CONSUMERS)
  return (
    <Card
      title="De chaque producteur à chaque consommateur"
      description="L’énergie locale de la période, lue en colonne par producteur. Plus la case est ambrée, plus l’échange compte."
    >
      <Table
        label="Énergie de chaque producteur à chaque consommateur"
        rows={hidden > 0 ? [...lines.slice(0, VISIBLE_CONSUMERS), ...lines.slice(-1)] : lines}
        columns={buildColumns(data, lines)}
      />
      {hidden > 0 && (
        <Button variant="secondary" className="mt-4" onClick={() => setWhole(true)}>
          Afficher {formatCount(hidden, 'autre consommateur', 'autres consommateurs')}
        </Button>
      )}
    </Card>
  )
}
