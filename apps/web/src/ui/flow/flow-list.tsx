import BatteryCharging from 'lucide-react/icons/battery-charging'
import { useId } from 'react'
import { formatEnergy, formatPercent } from '../../lib/format.ts'
import { type SharePart, toGridPart, toLocalPart, toStoragePart, toSurplusPart } from '../stack/parts.ts'
import { ShareBar } from '../stack/share-bar.tsx'
import { type FlowData, OTHERS_ID } from './model.ts'

type FlowRow = { id: string; label: string; storage?: boolean | undefined; parts: SharePart[] }

const SHARED_LABEL = 'Partagé'

const sumParts = ({ parts }: FlowRow) => parts.reduce((sum, part) => sum + part.value, 0)

/** The first part is the one that matters: what was shared, or what was local. */
const formatFirstShare = (row: FlowRow) => {
  const [first] = row.parts
  const size = sumParts(row)
  return first && size > 0
    ? `${formatPercent(first.value / size, 0)} ${first.label === SHARED_LABEL ? 'partagé' : 'local'}`
    : '–'
}

function FlowRows({ title, rows }: { title: string; rows: FlowRow[] }) {
  // The group of all others would flatten everyone: it is not measured against them.
  const largest = Math.max(1e-9, ...rows.filter((row) => row.id !== OTHERS_ID).map(sumParts))
  const id = useId()
  // The picture they are a part of is titled, and is no section of the page: neither are they.
  return (
    <div className="grid min-w-0 gap-3">
      <p id={id} className="text-body font-semibold">
        {title}
      </p>
      <ul aria-labelledby={id} className="grid min-w-0 gap-3">
        {rows.map((row) => (
          <li key={row.id} className="grid min-w-0 gap-1">
            <span className="flex min-w-0 items-baseline justify-between gap-3 text-[0.8125rem]">
              <span className="min-w-0 text-pretty">
                {row.storage && <BatteryCharging aria-hidden="true" className="mr-1 inline size-4 text-storage" />}
                {row.label}
                {row.storage && ' (batterie)'}
              </span>
              <span className="tabular shrink-0">
                <span className="font-medium">{formatEnergy(sumParts(row))}</span>
                <span className="text-ink-soft"> · {formatFirstShare(row)}</span>
              </span>
            </span>
            <ShareBar parts={row.parts} scale={Math.min(1, sumParts(row) / largest)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The same figures for a narrow screen: one bar per producer and per consumer. */
export function FlowList({ data, withGrid }: { data: FlowData; withGrid: boolean }) {
  const given = new Map<string, number>()
  for (const { from, wh } of data.links) given.set(from, (given.get(from) ?? 0) + wh)
  const producers = data.producers.map(({ id, label, wh, storage }): FlowRow => {
    const shared = given.get(id) ?? 0
    const rest = toSurplusPart(Math.max(0, wh - shared), storage ? 'Sans preneur' : undefined)
    return {
      id,
      label,
      storage,
      parts: [storage ? toStoragePart(shared, SHARED_LABEL) : toLocalPart(shared, SHARED_LABEL), rest],
    }
  })
  const consumers = data.consumers.map(
    ({ id, label, wh, gridWh, storage }): FlowRow => ({
      id,
      label,
      storage,
      parts: [storage ? toStoragePart(wh, 'Stocké') : toLocalPart(wh), ...(withGrid ? [toGridPart(gridWh)] : [])],
    }),
  )
  return (
    <div className="grid min-w-0 gap-6">
      <FlowRows title="Ce que chacun a produit" rows={producers} />
      <FlowRows title="Ce que chacun a reçu" rows={consumers} />
    </div>
  )
}
