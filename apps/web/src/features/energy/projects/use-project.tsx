import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ProjectDetail, type ProjectUpdate, projects } from '@voisol/contract/projects'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { z } from 'zod'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ApiError } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

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

const DEPENDENT_QUERIES = [projects.list, projects.get]

export const createFailureHandler = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

/** Saves a change of a project that was read; the answer is shown at once. */
export function useSaveProject(project: ProjectDetail) {
  const client = useQueryClient()
  const update = useAction(projects.update, DEPENDENT_QUERIES)
  const save = (change: Partial<ProjectUpdateBody>) =>
    update.run({ params: { id: project.id }, body: buildUpdateBody(project, change) }).catch((error) => {
      // Somebody else may have changed it: what is shown next is what is stored now.
      void client.invalidateQueries({ queryKey: [projects.get.path] })
      throw error
    })
  return { save, saving: update.isPending }
}

export const useMoveProjectAction = () => useAction(projects.move, DEPENDENT_QUERIES)
export const useStudyProject = () => useAction(projects.study, DEPENDENT_QUERIES)
export const useAddProjectNote = () => useAction(projects.note, [projects.get])
export const useRemoveProject = () => useAction(projects.remove, [projects.list])
export const useCreateOperationOfProject = () => useAction(projects.createOperation, DEPENDENT_QUERIES)

export type ProjectUpdateBody = z.input<typeof ProjectUpdate>
export type RoofLine = ProjectDetail['roofs'][number]
export type CandidateLine = ProjectDetail['candidates'][number]

/** An update replaces everything: what is not changed is sent back as it was read. */
export function buildUpdateBody(project: ProjectDetail, change: Partial<ProjectUpdateBody>): ProjectUpdateBody {
  const { name, kind, description, address, postalCode, city, latitude, longitude, perimeter, zone } = project
  const { localPrice, gridPrice, surplusPrice, investmentPerKwc, yearlyCosts, method, targetOn } = project
  const { roofs, candidates, steps, version } = project
  return {
    name,
    kind,
    description,
    address,
    postalCode,
    city,
    latitude,
    longitude,
    perimeter,
    zone,
    localPrice,
    gridPrice,
    surplusPrice,
    investmentPerKwc,
    yearlyCosts,
    method,
    targetOn,
    roofs,
    candidates,
    steps,
    version,
    ...change,
  }
}

/** The list with one line put in its place, added at the end, or taken out. */
export const withLine = <T,>(lines: T[], at: number | null, line: T): T[] =>
  at === null ? [...lines, line] : lines.map((old, n) => (n === at ? line : old))
export const withoutLine = <T,>(lines: T[], at: number): T[] => lines.filter((_, n) => n !== at)

type LineActionsProps = {
  project: ProjectDetail
  /** What is left of the project without the line. */
  without: Partial<ProjectUpdateBody>
  name: string
  /** « cette toiture ». */
  what: string
  onEdit: () => void
}

export const LineActions = withAccess(projects.update, ({ project, without, name, what, onEdit }: LineActionsProps) => {
  const { save } = useSaveProject(project)
  return (
    <>
      <IconButton label={`Modifier ${name}`} icon={<Pencil aria-hidden="true" />} onClick={onEdit} />
      <Confirm
        title={`Retirer ${what}\u00a0?`}
        description={`«\u00a0${name}\u00a0» ne fera plus partie du projet.`}
        action="Retirer"
        onConfirm={() => save(without)}
        trigger={<IconButton label={`Retirer ${name}`} icon={<Trash aria-hidden="true" />} />}
      />
    </>
  )
})
