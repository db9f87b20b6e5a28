import type { RetentionCounts } from '@voisol/contract/retention'
import { RETENTION, RETENTION_KINDS } from '@voisol/contract/retention-kinds'
import { month, number } from '../../lib/format.ts'

/** « de mars 2024 à avril 2024 ». */
function spanOf(months: Record<string, number>) {
  const all = Object.keys(months).toSorted()
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return ''
  return first === last ? month(`${first}-15`) : `de ${month(`${first}-15`)} à ${month(`${last}-15`)}`
}

const UNITS: Record<keyof typeof RETENTION, string> = {
  curves: 'jours de compteur',
  imports: 'fichiers',
  consents: 'accords',
  tickets: 'demandes',
  notifications: 'notifications',
  audit: 'actes',
}

/** How many of each kind, and of which months. */
export function Counts({ counts, label }: { counts: RetentionCounts; label: string }) {
  const some = RETENTION_KINDS.flatMap((kind) => {
    const found = counts[kind]
    return found && found.count > 0 ? [{ kind, ...found }] : []
  })
  if (!some.length) return <p className="text-body text-ink-soft">Rien n’a dépassé sa durée.</p>
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
          {some.map(({ kind, count, months }) => (
            <tr key={kind} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 pr-4 text-left font-normal">
                {RETENTION[kind].label}
              </th>
              <td className="tabular py-2.5 pr-4 text-right whitespace-nowrap">
                {number(count)} {UNITS[kind]}
              </td>
              <td className="py-2.5">{spanOf(months)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
