import type { Impact } from '@voisol/contract/effects'
import type { ImpactConfirmation } from '../../lib/effects-store.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { MonthImpact } from './month.tsx'
import { isPartialSide } from './words.ts'

const hasMissingReadings = ({ months }: Impact) =>
  months.some(({ members }) => members.some(({ before, after }) => isPartialSide(before) || isPartialSide(after)))

/** What a change of the past does to each month and member, before it is made. */
export default function ImpactDialog({ effects, action, settle }: ImpactConfirmation) {
  const several = new Set(effects.months.map(({ operationId }) => operationId)).size > 1
  return (
    <Dialog
      title="Ce que cela change"
      description={effects.summary}
      width="wide"
      open
      onOpenChange={(open) => !open && settle(false)}
      actions={
        <>
          <Button variant="secondary" onClick={() => settle(false)}>
            Ne rien changer
          </Button>
          <Button onClick={() => settle(true)}>{action}</Button>
        </>
      }
    >
      <div className="grid gap-3">
        {effects.months.map((month) => (
          <MonthImpact key={`${month.operationId} ${month.month}`} month={month} several={several} />
        ))}
        {hasMissingReadings(effects) && (
          <p className="flex items-center gap-2 text-[0.8125rem] text-ink-soft">
            <span aria-hidden="true" className="hatch-missing h-3 w-5 rounded-xs border border-line-strong" />
            Hachuré&nbsp;: des relevés manquent, le chiffre ne compte que ce qui est connu.
          </p>
        )}
      </div>
    </Dialog>
  )
}
