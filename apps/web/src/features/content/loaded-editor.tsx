import { useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BackLink } from './back-link.tsx'
import { ContentEditor } from './editor.tsx'
import { ReadOnlyContent } from './reading.tsx'

/** Always read anew: one never starts to write from an old state. */
export function LoadedEditor({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({ ...query(content.get, { params: { id } }), staleTime: 0, gcTime: 0 })
  const canWrite = useCan()(content.save)
  if (data) return canWrite ? <ContentEditor kind={data.kind} first={data} /> : <ReadOnlyContent record={data} />
  return (
    <>
      <BackLink />
      <PageHeader title="Contenu du site" />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-6">
          <Skeleton className="h-64 w-full" />
          <Skeleton className="h-96 w-full" />
        </div>
      )}
    </>
  )
}
