import type { ProjectStep } from '@voisol/contract/projects'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { projectNotes, projects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { createProject, moveProject, studyProject, usualSteps } from '../../energy/projects/projects.ts'
import { PROJECTS, type ProjectPlan } from './project-list.ts'

const at = (day: string) => new Date(`${day}T14:20:00Z`)

/** Steps fall due from the day the project began; those behind were done about when they should be. */
function stepsOf({ age, done, moves }: ProjectPlan, anchor: string) {
  const steps = usualSteps(addDays(anchor, -age), null)
  const over = moves.includes('abandoned')
  return steps.flatMap(({ title, dueOn }, n): z.output<typeof ProjectStep>[] => {
    if (n < done) return [{ title, dueOn, doneOn: dueOn < anchor ? addDays(dueOn, -3) : addDays(anchor, -2) }]
    return over ? [] : [{ title, dueOn, doneOn: null }]
  })
}

type Building = Pick<Deps, 'db' | 'compute'>

async function buildProject(deps: Building, actor: Actor, plan: ProjectPlan, anchor: string) {
  const { db: tx } = deps
  const { companyId } = actor
  const { id, version } = await createProject(tx, actor, { ...plan.draft, steps: stepsOf(plan, anchor) })
  for (const [n, status] of plan.moves.entries()) await moveProject(tx, actor, id, { status, version: version + n })
  if (plan.studied) await studyProject(deps, actor, id)
  await tx
    .update(projects)
    .set({
      createdAt: at(addDays(anchor, -plan.age)),
      ...(plan.operationId && { operationId: plan.operationId, status: 'running' }),
    })
    .where(and(eq(projects.companyId, companyId), eq(projects.id, id)))
  const author = `${actor.firstName} ${actor.lastName}`
  const notes = plan.notes.map(([ago, text]) => ({
    companyId,
    projectId: id,
    text,
    author,
    createdAt: at(addDays(anchor, -ago)),
  }))
  if (notes.length) await tx.insert(projectNotes).values(notes)
}

export async function buildProjects(deps: Building, actor: Actor, anchor: string): Promise<void> {
  for (const plan of PROJECTS) await buildProject(deps, actor, plan, anchor)
}
