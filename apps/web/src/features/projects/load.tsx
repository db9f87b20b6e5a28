import { useQuery } from '@tanstack/react-query'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The project named by the address, once it is there. */
export function ProjectLoader({ title, children }: { title: string; children: (project: ProjectDetail) => ReactNode }) {
  const { id = '' } = useParams()
  const { data: project, error, refetch } = useQuery(query(projects.get, { params: { id } }))
  if (error instanceof ApiError && error.status === 404) throw error
  if (project) return children(project)
  return (
    <>
      <PageHeader title={title} />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <div className="grid gap-6">
          <Skeleton className="h-24 w-full rounded-card" />
          <Skeleton className="h-96 w-full rounded-card" />
        </div>
      )}
    </>
  )
}
