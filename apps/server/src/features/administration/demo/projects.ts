import type { ProjectStep } from '@voisol/contract/projects'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { projectNotes, projects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { buildUsualSteps, changeProjectStatus, createProject, studyProject } from '../../energy/projects/projects.ts'
import { DEMO_PROJECTS, type ProjectPlan } from './project-list.ts'

const toAfternoon = (day: string) => new Date(`${day}T14:20:00Z`)

/** Due dates count from the start of the project; completed steps were done around their due date. */
function buildSteps({ age, done, moves }: ProjectPlan, anchor: string) {
  const steps = buildUsualSteps(addDays(anchor, -age), null)
  const over = moves.includes('abandoned')
  return steps.flatMap(({ title, dueOn }, n): z.output<typeof ProjectStep>[] => {
    if (n < done) return [{ title, dueOn, doneOn: dueOn < anchor ? addDays(dueOn, -3) : addDays(anchor, -2) }]
    return over ? [] : [{ title, dueOn, doneOn: null }]
  })
}

type BuildDeps = Pick<Deps, 'db' | 'compute'>

async function buildProject(deps: BuildDeps, actor: Actor, plan: ProjectPlan, anchor: string) {
  const { db: tx } = deps
  const { companyId } = actor
  const { id, version } = await createProject(tx, actor, { ...plan.draft, steps: buildSteps(plan, anchor) })
  for (const [n, status] of plan.moves.entries())
    await changeProjectStatus(tx, actor, id, { status, version: version + n })
  if (plan.studied) await studyProject(deps, actor, id)
  await tx
    .update(projects)
    .set({
      createdAt: toAfternoon(addDays(anchor, -plan.age)),
      ...(plan.operationId && { operationId: plan.operationId, status: 'running' }),
    })
    .where(and(eq(projects.companyId, companyId), eq(projects.id, id)))
  const author = `${actor.firstName} ${actor.lastName}`
  const notes = plan.notes.map(([ago, text]) => ({
    companyId,
    projectId: id,
    text,
    author,
    createdAt: toAfternoon(addDays(anchor, -ago)),
  }))
  if (notes.length) await tx.insert(projectNotes).values(notes)
}

export async function buildProjects(deps: BuildDeps, actor: Actor, anchor: string): Promise<void> {
  for (const plan of DEMO_PROJECTS) await buildProject(deps, actor, plan, anchor)
}
