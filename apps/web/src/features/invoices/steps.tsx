import type { RecomputedPart, RecomputedStep } from '@voisol/contract/invoice-views'
import Check from 'lucide-react/icons/check'
import CircleHelp from 'lucide-react/icons/circle-help'
import X from 'lucide-react/icons/x'
import { formatMoney } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { formatStep } from './formulas.ts'

/** One operation: what went in, what it is exactly, what it became. */
const RecomputedStepRow = ({ step }: { step: RecomputedStep }) => {
  const { title, sum, exact, result } = formatStep(step)
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-1.5 sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <span className="text-ink-soft">{title}</span>
      <span className="tabular min-w-0 break-words">
        {sum}
        {exact && <span className="text-ink-soft"> = {exact}</span>}
      </span>
      <span className="tabular font-medium sm:text-right">→ {result}</span>
    </li>
  )
}

export const RecomputedSteps = ({ steps }: { steps: RecomputedStep[] }) => (
  <ol className="divide-y divide-line text-[0.8125rem]">
    {steps.map((step) => (
      <RecomputedStepRow key={`${step.formula} ${JSON.stringify(step.inputs)}`} step={step} />
    ))}
  </ol>
)

const MATCH_VERDICTS = {
  same: { icon: Check, words: 'Identique', tone: 'text-success' },
  other: { icon: X, words: 'Différent', tone: 'text-danger' },
  unknown: { icon: CircleHelp, words: 'Différence entre deux documents', tone: 'text-ink-soft' },
}
export function MatchVerdict({ same }: { same: boolean | null }) {
  const { icon: Icon, words, tone } = MATCH_VERDICTS[same === null ? 'unknown' : same ? 'same' : 'other']
  return (
    <span className={cx('inline-flex items-center gap-1 text-[0.8125rem] font-medium', tone)}>
      <Icon aria-hidden="true" className="size-4" />
      {words}
    </span>
  )
}

export const RecomputedPartView = ({ part }: { part: RecomputedPart }) => (
  <section className="grid gap-1 py-3">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h3 className="text-body font-medium">{part.label}</h3>
      <span className="flex items-center gap-3">
        <MatchVerdict same={part.same} />
        <span className="tabular font-medium">{formatMoney(part.printed)}</span>
      </span>
    </div>
    {part.part !== 'total' && part.steps.length > 0 && <RecomputedSteps steps={part.steps} />}
  </section>
)
