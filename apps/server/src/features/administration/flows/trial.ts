import type { RuleDefinition, RuleTestEvent } from '@voisol/contract/flow-rules'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { events } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { describeCondition, findUnmetCondition, pickFields } from './match.ts'
import { requireValidRuleShape } from './rules.ts'

/** What the rule would have sent for the last events of this type. Nothing is sent or stored. */
export async function testRule(
  db: Db,
  { companyId }: Actor,
  { last, ...shape }: z.output<typeof RuleDefinition> & { last: number },
) {
  requireValidRuleShape(shape)
  const rows = await db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.name, shape.event)))
    .orderBy(desc(events.seq))
    .limit(last)
  const items = rows.map(({ seq, at, data: told }): RuleTestEvent => {
    const data = told as Record<string, unknown> // written by record()
    const fault = findUnmetCondition(shape.conditions, data)
    const why = fault ? `Il aurait fallu\u00a0: ${describeCondition(fault)}.` : ''
    const payload = fault ? null : pickFields(shape.fields, data)
    return { seq, occurredAt: at.toISOString(), matches: !fault, why, data, payload }
  })
  return { looked: items.length, matched: items.filter(({ matches }) => matches).length, items }
}
