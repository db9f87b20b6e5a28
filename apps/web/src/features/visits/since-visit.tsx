import { useQuery, useQueryClient } from '@tanstack/react-query'
import { visits } from '@voisol/contract/visits'
import { useEffect } from 'react'
import { formatLongDate } from '../../lib/format.ts'
import { query, useAction, withCallKey } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { describeVisitChange } from './words.ts'

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
