import type { Db } from '../src/db/client.ts'
import { insights } from '../src/db/schema/index.ts'

type InsightInput = { companyId: number; operationId: string } & Partial<typeof insights.$inferInsert>

export const INSIGHT_NUMBERS = {
  statistic: 17.3,
  threshold: 12,
  worth: 'plant',
  facts: { drop: 0.231, share: 0.75, neighbours: 3 },
  evidence: {
    axis: 'day',
    unit: 'kWh',
    labels: ['2026-05-11', '2026-05-12'],
    series: [
      { name: 'Mesuré', values: [31.7, null] },
      { name: 'Attendu d’après les voisines', values: [41.3, 39.9] },
    ],
  },
}

/** An open finding, as the nightly analysis stores it. */
export async function makeInsight(db: Db, input: InsightInput) {
  const at = new Date('2026-05-13T03:20:00Z')
  const [row] = await db
    .insert(insights)
    .values({
      rule: 'under-performance',
      subjectKind: 'operation',
      subjectId: input.operationId,
      startsOn: '2026-05-02',
      endsOn: '2026-05-13',
      wh: 117_430,
      cents: 1_171,
      confidence: 0.8,
      size: 117_430,
      numbers: INSIGHT_NUMBERS,
      foundAt: at,
      seenAt: at,
      ...input,
    })
    .returning()
  if (!row) throw new Error('no finding was made')
  return row
}
