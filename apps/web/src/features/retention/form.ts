import { RetentionMonths, RetentionUpdate } from '@voisol/contract/retention'
import { formatMonths, RETENTION_KINDS, RETENTION_RULES, type RetentionKind } from '@voisol/contract/retention-kinds'
import { z } from 'zod'

/** A list gives texts; the contract wants months. */
const buildMonthsField = (kind: RetentionKind) => z.string().transform(Number).pipe(RetentionMonths.shape[kind])

export const DurationsForm = RetentionUpdate.extend({
  months: z.strictObject(
    // Each key of the table has its own bounds.
    Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, buildMonthsField(kind)])) as Record<
      RetentionKind,
      ReturnType<typeof buildMonthsField>
    >,
  ),
})

/** Round lengths of time within the bounds, the bounds themselves, and the one that holds. */
export function buildDurationOptions(kind: RetentionKind, current: number): { value: string; label: string }[] {
  const { least: min, most: max, months } = RETENTION_RULES[kind]
  const roundDurations = [1, 3, 6, 9, 12, 15, 18, 24, 30, 36, 48, 60, 84, 120].filter((one) => one > min && one < max)
  return [...new Set([min, ...roundDurations, current, max])]
    .toSorted((a, b) => a - b)
    .map((value) => ({
      value: String(value),
      label: value === months ? `${formatMonths(value)} (recommandé)` : formatMonths(value),
    }))
}
