import type { ReactNode } from 'react'
import { formatCount, formatEnergy, formatPercent } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { buildCsv, saveCsv } from '../../../ui/chart/download.ts'
import { type Column, Table } from '../../../ui/table.tsx'
import { type ComparedMethod, type ConsumerChange, classifyChange, computeConsumerChanges } from './model.ts'

const CHANGE_BADGES = {
  gains: { label: 'Gagne', tone: 'success' },
  loses: { label: 'Perd', tone: 'danger' },
  same: { label: 'Identique', tone: 'neutral' },
} as const

/** More stored is less for others at that moment, and more for them later: neither good nor bad by itself. */
const BATTERY_CHANGE_BADGES = {
  gains: { label: 'Stocke plus', tone: 'neutral' },
  loses: { label: 'Stocke moins', tone: 'neutral' },
  same: CHANGE_BADGES.same,
} as const

const formatCoverage = (part: number, whole: number, storage: boolean) =>
  whole > 0 ? `${formatPercent(part / whole)} ${storage ? 'de sa charge' : 'couverts'}` : '–'

/** To the left what is lost, to the right what is won, on one scale. */
function ChangeBar({ change, most, storage }: { change: number; most: number; storage: boolean }) {
  const width = most > 0 ? (Math.abs(change) / most) * 50 : 0
  return (
    <svg aria-hidden="true" className="block h-3 w-32">
      <rect x="50%" width="1" height="100%" fill="#94A3B8" />
      <rect
        x={`${change < 0 ? 50 - width : 50}%`}
        width={`${width}%`}
        y="1"
        height="10"
        rx="2"
        fill={storage ? 'var(--data-storage)' : change < 0 ? 'var(--color-danger)' : 'var(--color-success)'}
      />
    </svg>
  )
}

const buildColumns = (most: number): Column<ConsumerChange>[] => [
  { header: 'Consommateur', cell: ({ label }) => <span className="block min-w-40 font-medium">{label}</span> },
  { header: 'Consommation', align: 'end', cell: ({ consumed }) => formatEnergy(consumed) },
  {
    header: 'Aujourd’hui',
    align: 'end',
    cell: ({ before, consumed, storage }) => (
      <span className="block whitespace-nowrap">
        {formatEnergy(before)}
        <span className="block text-[0.8125rem] text-ink-soft">{formatCoverage(before, consumed, storage)}</span>
      </span>
    ),
  },
  {
    header: 'Avec cette méthode',
    align: 'end',
    cell: ({ after, consumed, storage }) => (
      <span className="block whitespace-nowrap">
        {formatEnergy(after)}
        <span className="block text-[0.8125rem] text-ink-soft">{formatCoverage(after, consumed, storage)}</span>
      </span>
    ),
  },
  {
    header: 'Écart',
    align: 'end',
    cell: ({ change }) =>
      classifyChange(change) === 'same' ? '–' : `${change > 0 ? '+' : '−'}${formatEnergy(Math.abs(change))}`,
  },
  { header: 'Ampleur', cell: ({ change, storage }) => <ChangeBar change={change} most={most} storage={storage} /> },
  {
    header: 'Bilan',
    cell: ({ change, storage }) => {
      const { label, tone } = (storage ? BATTERY_CHANGE_BADGES : CHANGE_BADGES)[classifyChange(change)]
      return <Badge tone={tone}>{label}</Badge>
    },
  },
]

const summarizeChanges = (lines: ConsumerChange[]) => {
  const people = lines.filter(({ storage }) => !storage)
  const count = (way: keyof typeof CHANGE_BADGES) =>
    people.filter(({ change }) => classifyChange(change) === way).length
  const [gains, loses, same] = [count('gains'), count('loses'), count('same')]
  return `${formatCount(gains, 'consommateur')} ${gains < 2 ? 'recevrait' : 'recevraient'} plus d’énergie locale, ${loses} moins, ${same} autant qu’aujourd’hui.`
}

const formatCsvKwh = (wh: number) => String(Math.round(wh) / 1000).replace('.', ',')
const buildConsumersCsv = (lines: ConsumerChange[]) =>
  buildCsv([
    [
      'Consommateur',
      'Consommation (kWh)',
      'Aujourd’hui (kWh)',
      'Avec cette méthode (kWh)',
      'Gain (kWh)',
      'Perte (kWh)',
    ],
    ...lines.map(({ label, consumed, before, after, change }) => [
      label,
      ...[consumed, before, after, Math.max(0, change), Math.max(0, -change)].map(formatCsvKwh),
    ]),
  ])

type ConsumerChangesProps = {
  baseline: ComparedMethod
  chosen: ComparedMethod
  names: ReadonlyMap<string, string>
  action: ReactNode
}

/** Who would gain and who would lose if the operation changed its key. */
export function ConsumerChanges({ baseline, chosen, names, action }: ConsumerChangesProps) {
  const lines = computeConsumerChanges(baseline, chosen, names)
  const most = Math.max(0, ...lines.map(({ change }) => Math.abs(change)))
  const title = `Avec «\u00a0${chosen.name}\u00a0» plutôt que «\u00a0${baseline.name}\u00a0»`
  return (
    <Card
      title={title}
      description={summarizeChanges(lines)}
      actions={
        <>
          <Button variant="secondary" onClick={() => saveCsv(`Comparaison ${chosen.name}`, buildConsumersCsv(lines))}>
            Données (CSV)
          </Button>
          {action}
        </>
      }
    >
      <Table label={title} rows={lines} columns={buildColumns(most)} />
    </Card>
  )
}
