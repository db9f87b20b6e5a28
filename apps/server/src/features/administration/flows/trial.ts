import type { RuleShape, TriedEvent } from '@voisol/contract/flow-rules'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { events } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { shaped, unmet, wordsOf } from './match.ts'
import { requireShape } from './rules.ts'

/** What the rule would have made of the company's last events of this kind. Nothing is sent or kept. */
export async function tryRule(
  db: Db,
  { companyId }: Actor,
  { last, ...shape }: z.output<typeof RuleShape> & { last: number },
) {
  requireShape(shape)
  const rows = await db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.name, shape.event)))
    .orderBy(desc(events.seq))
    .limit(last)
  const items = rows.map(({ seq, at, data: told }): TriedEvent => {
    const data = told as Record<string, unknown> // what record() wrote
    const fault = unmet(shape.conditions, data)
    const why = fault ? `Il aurait fallu\u00a0: ${wordsOf(fault)}.` : ''
    const payload = fault ? null : shaped(shape.fields, data)
    return { seq, occurredAt: at.toISOString(), matches: !fault, why, data, payload }
  })
  return { looked: items.length, matched: items.filter(({ matches }) => matches).length, items }
}
