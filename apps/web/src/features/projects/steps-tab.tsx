import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type StepLine, withLine, withoutLine } from './body.ts'
import { StepDialog } from './step-dialog.tsx'
import { type StepActions, StepLineItem } from './step-line.tsx'
import { getTodayInParis } from './today.ts'
import { createFailureHandler, useSaveProject } from './use-project.ts'

/** A box answers at once; where the save fails it goes back. */
function useTickableSteps(project: ProjectDetail) {
  const { save, saving } = useSaveProject(project)
  const [ticked, setTicked] = useState<{ at: number; doneOn: string | null } | null>(null)
  const steps = project.steps.map((step, at) => (at === ticked?.at ? { ...step, doneOn: ticked.doneOn } : step))
  const tick = (at: number, on: boolean) => {
    const step = steps[at]
    if (!step) return
    const doneOn = on ? getTodayInParis() : null
    setTicked({ at, doneOn })
    void save({ steps: withLine(project.steps, at, { ...step, doneOn }) })
      .catch(createFailureHandler('Étape non enregistrée'))
      .finally(() => setTicked(null))
  }
  return { steps, tick, saving }
}

type StepsProps = { steps: StepLine[]; add?: ReactNode; line?: (at: number) => StepActions }

function Steps({ steps, add, line }: StepsProps) {
  const done = steps.filter(({ doneOn }) => doneOn !== null).length
  const current = steps.findIndex(({ doneOn }) => doneOn === null)
  if (steps.length === 0)
    return (
      <EmptyState title="Aucune étape" why="Les étapes disent ce qu’il reste à faire et pour quand." action={add} />
    )
  return (
    <Card
      title="Étapes"
      description={`${formatCount(done, 'étape faite', 'étapes faites')} sur ${steps.length}.`}
      actions={add}
      className="max-w-3xl"
    >
      <ol>
        {steps.map((step, at) => (
          <StepLineItem
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may bear one title; nothing in a line outlives a save
            key={`${at}-${step.title}`}
            step={step}
            current={at === current}
            last={at === steps.length - 1}
            change={line?.(at)}
          />
        ))}
      </ol>
    </Card>
  )
}

function EditableSteps({ project }: { project: ProjectDetail }) {
  const [open, setOpen] = useState<{ at: number | null } | null>(null)
  const { steps, tick, saving } = useTickableSteps(project)
  const add = (
    <Button variant="secondary" icon={<Plus aria-hidden="true" />} onClick={() => setOpen({ at: null })}>
      Ajouter une étape
    </Button>
  )
  const line = (at: number): StepActions => ({
    project,
    saving,
    without: { steps: withoutLine(project.steps, at) },
    onTick: (on) => tick(at, on),
    onEdit: () => setOpen({ at }),
  })
  return (
    <>
      <Steps steps={steps} add={add} line={line} />
      {open && <StepDialog project={project} at={open.at} onClose={() => setOpen(null)} />}
    </>
  )
}

export default function StepsTab({ project }: { project: ProjectDetail }) {
  return (
    <Can call={projects.update} otherwise={<Steps steps={project.steps} />}>
      <EditableSteps project={project} />
    </Can>
  )
}
