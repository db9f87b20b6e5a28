import type { CurveImport } from '@voisol/contract/curves'
import { formatCount, formatEnergy } from '../../../lib/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'

export type OverwriteConsent = { agreed: boolean; onAgree: (agreed: boolean) => void }

/** The days whose measured values would become others, and what they come to before and after. */
export const sumOverwrittenDays = ({ series }: CurveImport) =>
  series.reduce(
    (sum, one) => ({
      days: sum.days + one.overwrittenDays,
      before: sum.before + one.overwrittenBeforeWh,
      after: sum.after + one.overwrittenAfterWh,
    }),
    { days: 0, before: 0, after: 0 },
  )

/** Measured values are replaced with consent only. */
export function OverwriteConsentBox({ item, agreed, onAgree }: OverwriteConsent & { item: CurveImport }) {
  const { days, before, after } = sumOverwrittenDays(item)
  if (days === 0) return null
  return (
    <div className="rounded-card border border-warning p-4">
      <Checkbox
        checked={agreed}
        onChange={({ target }) => onAgree(target.checked)}
        label={`Remplacer ${formatCount(days, 'journée déjà enregistrée', 'journées déjà enregistrées')}\u00a0: ${formatEnergy(Math.round(before))} deviendront ${formatEnergy(Math.round(after))}`}
        hint="Ces relevés étaient mesurés&nbsp;: ce qui en a été calculé sera à refaire."
      />
    </div>
  )
}
