import { useQuery } from '@tanstack/react-query'
import { Day } from '@voisol/contract/primitives'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { ALLOCATION_METHOD_LABELS } from '../../lib/energy-labels.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { formatCount } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckFindingList } from '../../ui/findings.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatKwc } from './labels.ts'
import { getTodayInParis } from './today.ts'
import { useCreateOperationOfProject } from './use-project.ts'

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
export function CreateOperationDialog({ id, onClose }: { id: string; onClose: () => void }) {
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
