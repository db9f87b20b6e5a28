import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { content } from '@voisol/contract/content'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Prose } from '../../ui/prose/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PreviewPane } from './beside.tsx'

/** A version as it was, read and not edited. */
export function VersionView({ id, number }: { id: string; number: number }) {
  const { data, error, refetch } = useQuery({
    ...query(content.version, { params: { id, number } }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-80 w-full" />
  return (
    <PreviewPane label={`Version n°\u00a0${number}`} className="max-h-[55dvh] rounded-card border border-line p-5">
      <p className="text-2xl font-semibold leading-snug">{data.draft.title}</p>
      <p className="mt-2 mb-6 text-body text-ink-soft">{data.draft.summary}</p>
      <Prose blocks={data.body} />
    </PreviewPane>
  )
}
