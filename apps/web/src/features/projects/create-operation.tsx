import { useQuery } from '@tanstack/react-query'
import { Day } from '@voisol/contract/primitives'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { METHODS } from '../../lib/energy-labels.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Findings } from '../../ui/findings.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { kwc } from './labels.ts'
import { today } from './today.ts'
import { useTurn } from './use-project.ts'

const Start = z.object({ startsOn: Day })

/** What will be there afterwards, and what will not. */
export function consequences({ candidates, roofs, peakWatts, method }: ProjectDetail): string[] {
  const ready = candidates.filter(({ prm }) => prm !== '').length
  const missing = candidates.length - ready
  return [
    `${plural(ready, 'candidat deviendra participant', 'candidats deviendront participants')}, avec la clé «\u00a0${METHODS[method].label}\u00a0».`,
    ...(missing
      ? [
          `${plural(missing, 'candidat sans PRM restera', 'candidats sans PRM resteront')} dans le projet\u00a0: vous pourrez les ajouter plus tard.`,
        ]
      : []),
    ...(roofs.length
      ? [
          `${plural(roofs.length, 'toiture')} (${kwc(peakWatts)}) à ajouter comme producteurs quand leur PRM sera connu.`,
        ]
      : []),
    'Le projet passera à «\u00a0En service\u00a0».',
  ]
}

function TurnForm({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const navigate = useNavigate()
  const turn = useTurn()
  const refused = project.findings.filter(({ severity }) => severity === 'refused')
  const form = useSchemaForm(Start, {
    defaults: { startsOn: project.targetOn ?? today() },
    save: async ({ startsOn }) => {
      const { id } = await turn.run({ params: { id: project.id }, body: { startsOn, version: project.version } })
      onClose()
      toast({ title: 'Opération créée', description: project.name, variant: 'success' })
      await navigate(`/acc-operations/${id}`)
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      {refused.length > 0 && <Findings findings={refused} fine="" />}
      <ul className="grid list-disc gap-1.5 pl-5 text-body">
        {consequences(project).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Field form={form} name="startsOn" label="Premier jour de l’opération" type="date" />
      <footer className="mt-2 flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button type="submit" disabled={refused.length > 0} loading={form.formState.isSubmitting}>
          Créer l’opération
        </Button>
      </footer>
    </form>
  )
}

/** Turns the project into an operation, after saying what that does. */
export function CreateOperation({ id, onClose }: { id: string; onClose: () => void }) {
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
        <TurnForm project={project} onClose={onClose} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  )
}
