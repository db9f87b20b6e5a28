import { useQuery } from '@tanstack/react-query'
import { companies } from '@voisol/contract/companies'
import Mail from 'lucide-react/icons/mail'
import Phone from 'lucide-react/icons/phone'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const linkClass = 'inline-flex min-h-11 items-center gap-3 text-lg text-link break-all'

/** Whom to ask, by name, mail and telephone. */
export function OrganizerContact() {
  const { data, error, refetch } = useQuery(query(companies.contact, {}))
  return (
    <Card title="Une question&#160;?">
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-20 w-full" />}
      {data && (
        <div className="grid justify-items-start gap-1">
          <p>
            <strong className="font-semibold">{data.name}</strong> organise votre opération.
          </p>
          {data.phone && (
            <a href={`tel:${data.phone.replace(/[^+\d]/g, '')}`} className={linkClass}>
              <Phone aria-hidden="true" className="size-5 shrink-0" />
              {data.phone}
            </a>
          )}
          {data.email && (
            <a href={`mailto:${data.email}`} className={linkClass}>
              <Mail aria-hidden="true" className="size-5 shrink-0" />
              {data.email}
            </a>
          )}
          {!data.phone && !data.email && <p className="text-ink-soft">Ses coordonnées ne sont pas encore indiquées.</p>}
        </div>
      )}
    </Card>
  )
}
