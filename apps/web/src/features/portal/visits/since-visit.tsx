import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type VisitChange, visits } from '@voisol/contract/visits'
import { useEffect } from 'react'
import { Card } from '../../../components/card.tsx'
import { Link } from '../../../components/link.tsx'
import { formatLongDay } from '../../../components/period/period-labels.ts'
import { formatCount, formatLongDate, formatNumber } from '../../../lib/format.ts'
import { query, useAction, withCallKey } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'

const changesQuery = query(visits.changes, {})

/** What is new since one was last here. The first visit has nothing before it, and shows nothing. */
export function SinceVisit() {
  const { data } = useQuery({ ...changesQuery, staleTime: Number.POSITIVE_INFINITY })
  const { mutate } = useAction(visits.begin, [])
  const client = useQueryClient()
  const { user } = useSession()
  // Whoever looks at it for somebody is no visit of theirs.
  const isNewVisit = data?.fresh === true && !user?.viewing
  useEffect(() => {
    if (!isNewVisit) return
    client.setQueryData(changesQuery.queryKey, (old) => old && { ...old, fresh: false })
    mutate(withCallKey({}))
  }, [isNewVisit, mutate, client])
  if (!data?.since) return null
  return (
    <Card title={`Depuis votre visite du ${formatLongDate(data.since)}`}>
      {data.items.length === 0 && <p className="text-ink-soft">Rien de nouveau.</p>}
      <ul className="grid gap-3">
        {data.items.map((change) => {
          const { text, to, open } = describeVisitChange(change)
          return (
            <li key={change.kind} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <span>{text}</span>
              {to && (
                <Link to={to} className="font-medium text-link">
                  {open}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

type ChangeSentence = { text: string; to?: string; open?: string }

/** One sentence each, and where there is more to see. */
export function describeVisitChange({ kind, count, day }: VisitChange): ChangeSentence {
  const until = day === null ? '' : `, jusqu’au ${formatLongDay(day)}`
  switch (kind) {
    case 'invoices':
      return {
        text: `${formatCount(count, 'nouveau document est', 'nouveaux documents sont')} dans vos factures.`,
        to: '/client-portal/invoices',
        open: 'Voir mes factures',
      }
    case 'answers':
      return {
        text: `Votre organisateur a répondu à ${count === 1 ? 'votre question' : `${formatNumber(count)} de vos questions`}.`,
        to: '/client-portal/support',
        open: 'Lire sa réponse',
      }
    case 'readings':
      return { text: `Votre compteur a transmis ${formatCount(count, 'jour')} de mesures${until}.` }
    case 'corrected':
      return { text: `Les mesures de ${formatCount(count, 'jour')} ont été corrigées${until}.` }
    case 'key':
      return {
        text: `La règle de partage de l’énergie a changé${day === null ? '' : ` le ${formatLongDay(day)}`}.`,
        to: '/client-portal/why',
        open: 'Comprendre mon partage',
      }
    case 'joined':
      return { text: `${formatCount(count, 'voisin a rejoint', 'voisins ont rejoint')} votre opération.` }
    case 'left':
      return { text: `${formatCount(count, 'voisin a quitté', 'voisins ont quitté')} votre opération.` }
  }
}
