import { eq } from 'drizzle-orm'
import { insightLooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { findAndStoreInsights } from '../../understanding/insights/insights.ts'

/** Runs the nightly analysis of the demo company at once, so that its findings are visible on the first day. */
export async function fillInsights(
  deps: Deps,
  companyId: number,
  plans: OperationPlan[],
  signal?: AbortSignal,
): Promise<void> {
  const looks = await deps.db.select().from(insightLooks).where(eq(insightLooks.companyId, companyId))
  const known = new Set(looks.map(({ operationId }) => operationId))
  for (const { values } of plans)
    if (!known.has(values.id)) await findAndStoreInsights(deps, { companyId, operationId: values.id, signal })
}
