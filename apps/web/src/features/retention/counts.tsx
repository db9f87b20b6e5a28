import type { RetentionCounts } from '@voisol/contract/retention'
import { RETENTION_KINDS, RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { formatMonth, formatNumber } from '../../lib/format.ts'

/** « de mars 2024 à avril 2024 ». */
function formatMonthSpan(months: Record<string, number>) {
  const all = Object.keys(months).toSorted()
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return ''
  return first === last ? formatMonth(`${first}-15`) : `de ${formatMonth(`${first}-15`)} à ${formatMonth(`${last}-15`)}`
}

const UNIT_LABELS: Record<keyof typeof RETENTION_RULES, string> = {
  curves: 'jours de compteur',
  imports: 'fichiers',
  consents: 'accords',
  tickets: 'demandes',
  notifications: 'notifications',
  audit: 'actes',
}

/** How many of each kind, and of which months. */
export function RetentionCountsTable({ counts, label }: { counts: RetentionCounts; label: string }) {
  const nonEmptyKinds = RETENTION_KINDS.flatMap((kind) => {
    const kindCount = counts[kind]
    return kindCount && kindCount.count > 0 ? [{ kind, ...kindCount }] : []
  })
  if (!nonEmptyKinds.length) return <p className="text-body text-ink-soft">Rien n’a dépassé sa durée.</p>
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-body" aria-label={label}>
        <thead>
          <tr className="border-b border-line text-left text-[0.8125rem] text-ink-soft">
            <th scope="col" className="py-2 pr-4 font-medium">
              Données
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-medium">
              Nombre
            </th>
            <th scope="col" className="py-2 font-medium">
              Période
            </th>
          </tr>
        </thead>
        <tbody>
          {nonEmptyKinds.map(({ kind, count, months }) => (
            <tr key={kind} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 pr-4 text-left font-normal">
                {RETENTION_RULES[kind].label}
              </th>
              <td className="tabular py-2.5 pr-4 text-right whitespace-nowrap">
                {formatNumber(count)} {UNIT_LABELS[kind]}
              </td>
              <td className="py-2.5">{formatMonthSpan(months)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
