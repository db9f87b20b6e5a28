import { of } from '@voisol/contract/elision'
import { energy } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { periodLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { SideMark } from '../../../ui/side-mark.tsx'
import { ShareBar } from '../../../ui/stack/share-bar.tsx'
import { partsOf, type Row } from '../result/points.tsx'
import { rate } from '../words.tsx'

const sentence = (rows: Row[]) => {
  const known = rows.filter((row) => row.rate !== null).toSorted((a, b) => (b.rate ?? 0) - (a.rate ?? 0))
  const [best, least] = [known[0], known.at(-1)]
  if (!best || !least || best === least) return 'Pas assez de chiffres pour comparer ces membres.'
  return `Le taux le plus haut est celui ${of(best.name)} (${rate(best.rate)}), le plus bas celui ${of(least.name)} (${rate(least.rate)}).`
}

/** Members side by side, each bar as long as what the member drew or injected. */
export function Comparison({ rows, period }: { rows: Row[]; period: Period }) {
  const most = Math.max(1, ...rows.map(({ total }) => total))
  return (
    <Card title={`Comparaison, ${periodLabel(period)}`} description={sentence(rows)}>
      <ul className="grid gap-4">
        {rows.map((row) => (
          <li
            key={`${row.operationId} ${row.participantId} ${row.id}`}
            className="grid gap-x-4 gap-y-1 sm:grid-cols-[12rem_minmax(0,1fr)_13rem] lg:grid-cols-[18rem_minmax(0,1fr)_13rem] sm:items-center"
          >
            <span className="min-w-0 text-body">
              <span className="block font-medium">{row.name}</span>
              <span className="block text-[0.8125rem] text-ink-soft">
                <SideMark direction={row.direction} storage={row.storage} /> · {row.operationName}
              </span>
            </span>
            <ShareBar parts={partsOf(row)} className="h-5" scale={row.total / most} />
            <span className="tabular text-body sm:text-right">
              {energy(row.local)} sur {energy(row.total)}
              <span className="block text-[0.8125rem] text-ink-soft">{rate(row.rate)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
