import type { CurveImport } from '@voisol/contract/curves'
import { energy, plural } from '../../../lib/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'

export type Agreement = { agreed: boolean; onAgree: (agreed: boolean) => void }

/** The days whose measured values would become others, and what they come to before and after. */
export const overwrittenIn = ({ series }: CurveImport) =>
  series.reduce(
    (sum, one) => ({
      days: sum.days + one.overwrittenDays,
      before: sum.before + one.overwrittenBeforeWh,
      after: sum.after + one.overwrittenAfterWh,
    }),
    { days: 0, before: 0, after: 0 },
  )

/** Measured values are replaced with consent only. */
export function Consent({ item, agreed, onAgree }: Agreement & { item: CurveImport }) {
  const { days, before, after } = overwrittenIn(item)
  if (days === 0) return null
  return (
    <div className="rounded-card border border-warning p-4">
      <Checkbox
        checked={agreed}
        onChange={({ target }) => onAgree(target.checked)}
        label={`Remplacer ${plural(days, 'journée déjà enregistrée', 'journées déjà enregistrées')}\u00a0: ${energy(Math.round(before))} deviendront ${energy(Math.round(after))}`}
        hint="Ces relevés étaient mesurés&nbsp;: ce qui en a été calculé sera à refaire."
      />
    </div>
  )
}
