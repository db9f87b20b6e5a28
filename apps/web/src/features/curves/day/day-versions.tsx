import { of } from '@voisol/contract/elision'
import { useId, useMemo, useState } from 'react'
import { dateTime, energy, number, plural } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { minuteOf } from '../../../ui/energy-explorer/columns.ts'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { SOURCES, type Version } from '../labels.ts'
import { LazyCurve } from '../lazy-curve.tsx'
import { changesOf } from './difference.ts'
import { DifferenceTable } from './difference-table.tsx'

const columns: Column<Version & { id: string }>[] = [
  { header: 'Version', align: 'end', cell: ({ version }) => number(version) },
  {
    header: 'État',
    cell: ({ supersededAt }) =>
      supersededAt === null ? <Badge tone="success">En vigueur</Badge> : <Badge>Remplacée</Badge>,
  },
  {
    header: 'Reçue le',
    cell: ({ receivedAt }) => <span className="tabular whitespace-nowrap">{dateTime(receivedAt)}</span>,
  },
  { header: 'Source', cell: ({ source }) => SOURCES[source] },
  { header: 'Pas', align: 'end', cell: ({ step }) => `${step}\u00a0min` },
  {
    header: 'Relevés',
    align: 'end',
    cell: ({ present, expected }) => `${number(present)} sur ${number(expected)}`,
  },
  {
    header: 'Énergie',
    align: 'end',
    cell: ({ energyWh }) => <span className="whitespace-nowrap">{energy(energyWh)}</span>,
  },
]

const seriesOf = (label: string, one: Version) => ({
  key: label,
  label,
  role: 'consumption' as const,
  values: one.watts,
  quality: one.marks,
})

const nameOf = ({ version, receivedAt }: Version) => `Version ${version}, reçue le ${dateTime(receivedAt)}`

type Props = { name: string; startsAt: string; items: Version[] }

/** The day as it is known now, against the version that one picks. */
export function DayVersions({ name, startsAt, items }: Props) {
  const [current, previous] = items
  const [picked, setPicked] = useState(previous?.version)
  const other = items.find(({ version }) => version === picked)
  const id = useId()
  const drawn = useMemo(() => {
    if (!current) return null
    if (!other) return { series: [seriesOf(`Version ${current.version}`, current)], step: current.step, changes: [] }
    const { step, old, now, changes } = changesOf(other, current)
    const series = [
      {
        ...seriesOf(`Version ${current.version}`, current),
        values: now,
        ...(step !== current.step && { quality: undefined }),
      },
      { ...seriesOf(`Version ${other.version}`, other), values: old, quality: undefined, compared: true },
    ]
    return { series, step, changes, wh: current.energyWh - other.energyWh }
  }, [current, other])
  if (!current || !drawn) return null
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <Table
        label="Versions de la journée"
        rows={items.map((one) => ({ ...one, id: String(one.version) }))}
        columns={columns}
      />
      {items.length > 1 && (
        <FieldFrame id={id} label={`Comparer la version ${current.version} avec`}>
          <Select
            id={id}
            className="sm:w-96"
            value={String(picked)}
            onChange={(event) => setPicked(Number(event.target.value))}
            options={items.slice(1).map((one) => ({ value: String(one.version), label: nameOf(one) }))}
          />
        </FieldFrame>
      )}
      <LazyCurve title={`Courbe ${of(name)}`} series={drawn.series} startsAt={minuteOf(startsAt)} step={drawn.step} />
      {other && (
        <DifferenceTable key={other.version} {...drawn} from={other} to={current} startsAt={minuteOf(startsAt)} />
      )}
      {items.length === 1 && (
        <p className="text-body text-ink-soft">
          Une seule version a été reçue&nbsp;: {plural(current.present, 'relevé')}, jamais corrigée depuis.
        </p>
      )}
    </div>
  )
}
