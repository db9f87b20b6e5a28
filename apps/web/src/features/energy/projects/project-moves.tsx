import { useQuery } from '@tanstack/react-query'
import { Day } from '@voisol/contract/primitives'
import { type Project, type ProjectDetail, projects } from '@voisol/contract/projects'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog, DialogClose } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { CheckFindingList } from '../../../components/issue-list.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatKwc, getTodayInParis, type ProjectStatus } from './labels.ts'
import { useCreateOperationOfProject, useMoveProjectAction } from './use-project.tsx'

export type ProjectMove = { project: Project | ProjectDetail; to: ProjectStatus }

/** The moves that ask first: what gives up a project, and what makes an operation of it. */
export function ProjectMoveDialog({ project, to, onClose }: ProjectMove & { onClose: () => void }) {
  const move = useMoveProjectAction()
  if (to === 'running') return <CreateOperationDialog id={project.id} onClose={onClose} />
  const abandon = async () => {
    await move.run({ params: { id: project.id }, body: { status: to, version: project.version } })
    toast({ title: 'Projet abandonné', variant: 'success' })
  }
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Abandonner ce projet&nbsp;?"
      description={`«\u00a0${project.name}\u00a0» est conservé avec son étude et ses notes\u00a0; il pourra être repris.`}
      action="Abandonner le projet"
      onConfirm={abandon}
    />
  )
}

type ProjectState = Pick<Project, 'status' | 'operationId'>

const ALLOWED_MOVES: Record<ProjectStatus, ProjectStatus[]> = {
  prospect: ['study', 'abandoned'],
  study: ['agreement', 'prospect', 'abandoned'],
  agreement: ['running', 'study', 'abandoned'],
  running: [],
  abandoned: ['prospect'],
}

/** Where a project may go from here; to « En service » it goes by creating its operation. */
export const getAllowedMoves = ({ status, operationId }: ProjectState): ProjectStatus[] =>
  status === 'running' && operationId === null ? ['agreement'] : ALLOWED_MOVES[status]

const MOVE_LABELS: Record<ProjectStatus, string> = {
  prospect: 'Remettre en prospect',
  study: 'Passer à l’étude',
  agreement: 'Passer au conventionnement',
  running: 'Créer l’opération…',
  abandoned: 'Abandonner…',
}

/** The move as a button says it; going back is said as such. */
export const formatMove = (from: ProjectStatus, to: ProjectStatus) => {
  if (from === 'agreement' && to === 'study') return 'Revenir à l’étude'
  if (from === 'abandoned') return 'Reprendre le projet'
  return MOVE_LABELS[to]
}

/** The one move that goes forward. */
export const getNextStatus = (standing: ProjectState): ProjectStatus | undefined =>
  getAllowedMoves(standing).find(
    (status) => status === { prospect: 'study', study: 'agreement', agreement: 'running' }[standing.status as string],
  )

const StartForm = z.object({ startsOn: Day })

/** What will be there afterwards, and what will not. */
export function describeConsequences({ candidates, roofs, peakWatts, method }: ProjectDetail): string[] {
  const ready = candidates.filter(({ prm }) => prm !== '').length
  const missing = candidates.length - ready
  return [
    `${formatCount(ready, 'candidat deviendra participant', 'candidats deviendront participants')}, avec la clé «\u00a0${ALLOCATION_METHOD_LABELS[method].label}\u00a0».`,
    ...(missing
      ? [
          `${formatCount(missing, 'candidat sans PRM restera', 'candidats sans PRM resteront')} dans le projet\u00a0: vous pourrez les ajouter plus tard.`,
        ]
      : []),
    ...(roofs.length
      ? [
          `${formatCount(roofs.length, 'toiture')} (${formatKwc(peakWatts)}) à ajouter comme producteurs quand leur PRM sera connu.`,
        ]
      : []),
    'Le projet passera à «\u00a0En service\u00a0».',
  ]
}

function CreateOperationForm({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const navigate = useNavigate()
  const createOperation = useCreateOperationOfProject()
  const refusedFindings = project.findings.filter(({ severity }) => severity === 'refused')
  const form = useSchemaForm(StartForm, {
    defaults: { startsOn: project.targetOn ?? getTodayInParis() },
    save: async ({ startsOn }) => {
      const { id } = await createOperation.run({
        params: { id: project.id },
        body: { startsOn, version: project.version },
      })
      onClose()
      toast({ title: 'Opération créée', description: project.name, variant: 'success' })
      await navigate(`/acc-operations/${id}`)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      {refusedFindings.length > 0 && <CheckFindingList findings={refusedFindings} fine="" />}
      <ul className="grid list-disc gap-1.5 pl-5 text-body">
        {describeConsequences(project).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Field form={form} name="startsOn" label="Premier jour de l’opération" type="date" />
      <footer className="mt-2 flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button type="submit" disabled={refusedFindings.length > 0} loading={form.formState.isSubmitting}>
          Créer l’opération
        </Button>
      </footer>
    </form>
  )
}

/** Turns the project into an operation, after saying what that does. */
function CreateOperationDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: project, error, refetch } = useQuery(query(projects.get, { params: { id } }))
  return (
    <Dialog
      title="Créer l’opération"
      description={project?.name ?? 'Lecture du projet…'}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : project ? (
        <CreateOperationForm project={project} onClose={onClose} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  )
}
