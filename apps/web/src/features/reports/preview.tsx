import { useQuery } from '@tanstack/react-query'
import { reports } from '@voisol/contract/reports'
import { fetchFile } from '../../lib/call.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Paper } from '../../ui/paper.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export type Asked = { template: string; subjectId: string; period: string }

/** The paper itself, as it would be kept. */
export default function Preview({ asked }: { asked: Asked }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [reports.preview.path, asked],
    queryFn: () => fetchFile(reports.preview, { query: asked }),
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data || isFetching)
    return (
      <div aria-live="polite">
        <p className="mb-2 text-body text-ink-soft">Le document se prépare…</p>
        <Skeleton className="h-96 w-full" />
      </div>
    )
  return (
    <Paper file={data} title="Aperçu du document">
      Le document tel qu’il serait établi. Rien n’est encore conservé.
    </Paper>
  )
}
