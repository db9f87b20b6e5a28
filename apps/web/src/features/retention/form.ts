import { RetentionMonths, RetentionUpdate } from '@voisol/contract/retention'
import { RETENTION, RETENTION_KINDS, type RetentionKind, spanText } from '@voisol/contract/retention-kinds'
import { z } from 'zod'

/** A list gives texts; the contract wants months. */
const Chosen = (kind: RetentionKind) => z.string().transform(Number).pipe(RetentionMonths.shape[kind])

export const DurationsForm = RetentionUpdate.extend({
  months: z.strictObject(
    // Each key of the table has its own bounds.
    Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, Chosen(kind)])) as Record<
      RetentionKind,
      ReturnType<typeof Chosen>
    >,
  ),
})

/** Round lengths of time within the bounds, the bounds themselves, and the one that holds. */
export function choicesOf(kind: RetentionKind, held: number): { value: string; label: string }[] {
  const { least, most, months } = RETENTION[kind]
  const round = [1, 3, 6, 9, 12, 15, 18, 24, 30, 36, 48, 60, 84, 120].filter((one) => one > least && one < most)
  return [...new Set([least, ...round, held, most])]
    .toSorted((a, b) => a - b)
    .map((value) => ({
      value: String(value),
      label: value === months ? `${spanText(value)} (recommandé)` : spanText(value),
    }))
}
