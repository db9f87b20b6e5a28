import type { OnboardingStep } from '@voisol/contract/onboarding'
import Check from 'lucide-react/icons/check'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatStepCount, type StepText } from './words.ts'

const StepNumber = ({ at, done, next }: { at: number; done: boolean; next: boolean }) => (
  <span
    aria-hidden="true"
    className={cx(
      'tabular grid size-9 shrink-0 place-items-center rounded-full font-semibold',
      done ? 'bg-success-soft text-success' : next ? 'bg-amber-200 text-amber-900' : 'bg-slate-100 text-ink-soft',
    )}
  >
    {done ? <Check className="size-5" /> : at}
  </span>
)

type StepProps = { step: OnboardingStep; words: StepText; at: number; next: boolean }

/** What is done is crossed off; what can be done already has its door, the next one first. */
export function OnboardingStepItem({ step, words: { title, text, action, to }, at, next }: StepProps) {
  const { done } = step
  const countLabel = formatStepCount(step)
  return (
    <li className="flex gap-4 bg-card p-6" aria-current={next ? 'step' : undefined}>
      <StepNumber at={at} done={done} next={next} />
      <div className="grid content-start gap-1.5">
        <h3 className="text-body font-semibold">
          {title}
          {done && <span className="sr-only">, fait</span>}
        </h3>
        {!done && <p className="text-body text-ink-soft">{text}</p>}
        {countLabel && <p className="tabular text-body text-ink-soft">{countLabel}</p>}
        {!done && to && (
          <div className="mt-2">
            <ButtonLink to={to} variant={next ? 'primary' : 'secondary'}>
              {action}
            </ButtonLink>
          </div>
        )}
      </div>
    </li>
  )
}
