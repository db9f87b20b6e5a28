import type { PlantEconomy } from '@voisol/contract/plants'
import { Study } from '@voisol/contract/projects'
import { and, eq, isNotNull } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export type StudyEstimate = NonNullable<PlantEconomy['studied']>

/** By operation, the return expected by its project's study: income minus costs, relative to the investment. */
export async function loadStudyEstimates(db: Db, actor: Actor): Promise<Map<string, StudyEstimate>> {
  const rows = await db
    .select({
      id: projects.id,
      name: projects.name,
      study: projects.study,
      costs: projects.yearlyCosts,
      operationId: projects.operationId,
    })
    .from(projects)
    .where(
      and(
        eq(projects.companyId, actor.companyId),
        isNotNull(projects.operationId),
        withinOperationLimit(actor, projects.operationId),
      ),
    )
  return new Map(
    rows.flatMap(({ id, name, study, costs, operationId }): [string, StudyEstimate][] => {
      const known = Study.pick({ investmentCents: true, incomeCents: true }).safeParse(study)
      if (!known.success || operationId === null || known.data.investmentCents <= 0) return []
      const { investmentCents, incomeCents } = known.data
      return [[operationId, { projectId: id, name, incomeCents, rate: (incomeCents - costs) / investmentCents }]]
    }),
  )
}
