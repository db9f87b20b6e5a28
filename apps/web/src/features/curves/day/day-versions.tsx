import { withDe } from '@voisol/contract/elision'
import { useId, useMemo, useState } from 'react'
import { formatCount, formatDateTime, formatEnergy, formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { toEpochMinute } from '../../../ui/energy-explorer/columns.ts'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { CURVE_SOURCE_LABELS, type CurveVersion } from '../labels.ts'
import { LazyCurveExplorer } from '../lazy-curve.tsx'
import { compareVersions } from './difference.ts'
import { DifferenceTable } from './difference-table.tsx'

const columns: Column<CurveVersion & { id: string }>[] = [
  { header: 'Version', align: 'end', cell: ({ version }) => formatNumber(version) },
  {
    header: 'État',
    cell: ({ supersededAt }) =>
      supersededAt === null ? <Badge tone="success">En vigueur</Badge> : <Badge>Remplacée</Badge>,
  },
  {
    header: 'Reçue le',
    cell: ({ receivedAt }) => <span className="tabular whitespace-nowrap">{formatDateTime(receivedAt)}</span>,
  },
  { header: 'Source', cell: ({ source }) => CURVE_SOURCE_LABELS[source] },
  { header: 'Pas', align: 'end', cell: ({ step }) => `${step}\u00a0min` },
  {
    header: 'Relevés',
    align: 'end',
    cell: ({ present, expected }) => `${formatNumber(present)} sur ${formatNumber(expected)}`,
  },
  {
    header: 'Énergie',
    align: 'end',
    cell: ({ energyWh }) => <span className="whitespace-nowrap">{formatEnergy(energyWh)}</span>,
  },
]

const toVersionSeries = (label: string, one: CurveVersion) => ({
  key: label,
  label,
  role: 'consumption' as const,
  values: one.watts,
  quality: one.marks,
})

const getVersionLabel = ({ version, receivedAt }: CurveVersion) =>
  `Version ${version}, reçue le ${formatDateTime(receivedAt)}`

type Props = { name: string; startsAt: string; items: CurveVersion[] }

/** The day as it is known now, against the version that one picks. */
export function DayVersions({ name, startsAt, items }: Props) {
  const [current, previous] = items
  const [picked, setPicked] = useState(previous?.version)
  const other = items.find(({ version }) => version === picked)
  const id = useId()
  const chartData = useMemo(() => {
    if (!current) return null
    if (!other)
      return { series: [toVersionSeries(`Version ${current.version}`, current)], step: current.step, changes: [] }
    const { step, old, now, changes } = compareVersions(other, current)
    const series = [
      {
        ...toVersionSeries(`Version ${current.version}`, current),
        values: now,
        ...(step !== current.step && { quality: undefined }),
      },
      { ...toVersionSeries(`Version ${other.version}`, other), values: old, quality: undefined, compared: true },
    ]
    return { series, step, changes, wh: current.energyWh - other.energyWh }
  }, [current, other])
  if (!current || !chartData) return null
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
            options={items.slice(1).map((one) => ({ value: String(one.version), label: getVersionLabel(one) }))}
          />
        </FieldFrame>
      )}
      <LazyCurveExplorer
        title={`Courbe ${withDe(name)}`}
        series={chartData.series}
        startsAt={toEpochMinute(startsAt)}
        step={chartData.step}
      />
      {other && (
        <DifferenceTable
          key={other.version}
          {...chartData}
          from={other}
          to={current}
          startsAt={toEpochMinute(startsAt)}
        />
      )}
      {items.length === 1 && (
        <p className="text-body text-ink-soft">
          Une seule version a été reçue&nbsp;: {formatCount(current.present, 'relevé')}, jamais corrigée depuis.
        </p>
      )}
    </div>
  )
}
