import { useQuery } from '@tanstack/react-query'
import { type EnedisCall, enedis } from '@voisol/contract/enedis'
import FlaskConical from 'lucide-react/icons/flask-conical'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CallGroup } from './docs/call-group.tsx'
import { FaultTable } from './docs/fault-table.tsx'
import { groupCallsByInterface } from './docs/groups.ts'
import { CallRules } from './docs/rules.tsx'

const TableOfContents = ({ calls }: { calls: EnedisCall[] }) => (
  <nav aria-label="Sur cette page" data-print="hide" className="text-body lg:sticky lg:top-20 lg:self-start">
    <ul className="grid gap-1 border-line lg:border-l lg:pl-4">
      <li>
        <a href="#regles" className="inline-flex min-h-7 items-center text-ink-soft hover:text-ink">
          Quotas et dates
        </a>
      </li>
      {groupCallsByInterface(calls).map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`} className="inline-flex min-h-7 items-center text-ink-soft hover:text-ink">
            {title}
          </a>
        </li>
      ))}
      <li>
        <a href="#codes" className="inline-flex min-h-7 items-center text-ink-soft hover:text-ink">
          Codes d’erreur
        </a>
      </li>
    </ul>
  </nav>
)

/** What Voisol asks of the distributor, how, and what its refusals mean. */
export default function EnedisDocs() {
  const { data, error, refetch } = useQuery(query(enedis.calls, {}))
  return (
    <>
      <PageHeader
        title="Documentation Enedis"
        description="Les appels que Voisol fait au distributeur, leurs limites, et ce que veulent dire ses refus."
        actions={
          <ButtonLink variant="secondary" to="/enedis-test" icon={<FlaskConical aria-hidden="true" />}>
            Tester un appel
          </ButtonLink>
        }
      />
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div className="grid gap-8 lg:grid-cols-[13rem_minmax(0,1fr)] [&>*]:min-w-0">
          <TableOfContents calls={data.calls} />
          <div className="grid gap-8 [&>*]:min-w-0">
            <CallRules />
            {groupCallsByInterface(data.calls).map((group) => (
              <CallGroup key={group.id} group={group} />
            ))}
            <FaultTable faults={data.faults} />
          </div>
        </div>
      )}
    </>
  )
}
