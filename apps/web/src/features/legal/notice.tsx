import { useQuery } from '@tanstack/react-query'
import { legal } from '@voisol/contract/legal'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LegalNoticeFacts } from './facts.tsx'
import { LegalNoticeForm } from './form.tsx'

/** What the law asks for and the page does not say yet. */
const MissingFields = ({ missing }: { missing: string[] }) =>
  missing.length > 0 && (
    <p role="status" className="mb-6 max-w-3xl rounded-card border border-warning/30 bg-warning-soft p-4 text-body">
      La loi demande encore{'\u00a0'}: {missing.join(', ')}. La page publique le dit tant que ce n’est pas renseigné.
    </p>
  )

/** Who publishes the site and who hosts it. */
export default function LegalNoticePage() {
  const writes = useCan()(legal.save)
  const { data, error, refetch } = useQuery(query(legal.get, {}))
  return (
    <>
      <PageHeader
        title="Mentions légales"
        description="L’éditeur du site et son hébergeur, tels que la page publique les nomme. Rien n’y est écrit que vous n’ayez saisi ici."
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && !data && <Skeleton className="h-64 w-full" />}
      {data && (
        <>
          <MissingFields missing={data.missing} />
          {writes ? <LegalNoticeForm key={data.version} {...data} /> : <LegalNoticeFacts notice={data.notice} />}
        </>
      )}
    </>
  )
}
