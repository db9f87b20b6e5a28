import { withDe } from '@voisol/contract/elision'
import { formatEnergy } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { MeterSideLabel } from '../../../ui/side-mark.tsx'
import { ShareBar } from '../../../ui/stack/share-bar.tsx'
import { buildMemberParts, type MemberEnergyRow } from '../result/points.tsx'
import { formatRate } from '../words.tsx'

const describeExtremes = (rows: MemberEnergyRow[]) => {
  const knownRows = rows.filter((row) => row.rate !== null).toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const [best, least] = [knownRows[0], knownRows.at(-1)]
  if (!best || !least || best === least) return 'Pas assez de chiffres pour comparer ces membres.'
  return `Le taux le plus haut est celui ${withDe(best.name)} (${formatRate(best.rate)}), le plus bas celui ${withDe(least.name)} (${formatRate(least.rate)}).`
}

/** Members side by side, each bar as long as what the member drew or injected. */
export function MemberComparison({ rows, period }: { rows: MemberEnergyRow[]; period: Period }) {
  const most = Math.max(1, ...rows.map(({ total }) => total))
  return (
    <Card title={`Comparaison, ${formatPeriodLabel(period)}`} description={describeExtremes(rows)}>
      <ul className="grid gap-4">
        {rows.map((row) => (
          <li
            key={`${row.operationId} ${row.participantId} ${row.id}`}
            className="grid gap-x-4 gap-y-1 sm:grid-cols-[12rem_minmax(0,1fr)_13rem] lg:grid-cols-[18rem_minmax(0,1fr)_13rem] sm:items-center"
          >
            <span className="min-w-0 text-body">
              <span className="block font-medium">{row.name}</span>
              <span className="block text-[0.8125rem] text-ink-soft">
                <MeterSideLabel direction={row.direction} storage={row.storage} /> · {row.operationName}
              </span>
            </span>
            <ShareBar parts={buildMemberParts(row)} className="h-5" scale={row.total / most} />
            <span className="tabular text-body sm:text-right">
              {formatEnergy(row.local)} sur {formatEnergy(row.total)}
              <span className="block text-[0.8125rem] text-ink-soft">{formatRate(row.rate)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
