import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

const stepStates = {
  done: { circle: 'border-primary-solid bg-primary-solid text-on-primary-solid', words: 'terminée' },
  current: { circle: 'border-primary-ink text-primary-ink', words: 'en cours' },
  coming: { circle: 'border-line-strong text-ink-muted', words: 'à venir' },
}
const getStepState = (index: number, current: number) =>
  index < current ? 'done' : index === current ? 'current' : 'coming'

type StepsProps = {
  steps: string[]
  current: number
  /** Leads back to a step that is done. */
  onStep?: (index: number) => void
  className?: string
}

/** Where one stands in a few steps; `current` counts from 0. */
export const Steps = ({ steps, current, onStep, className }: StepsProps) => (
  <ol aria-label="Étapes" className={cx('flex flex-wrap gap-x-6 gap-y-3', className)}>
    {steps.map((step, index) => {
      const state = getStepState(index, current)
      return (
        <li
          key={step}
          aria-current={state === 'current' ? 'step' : undefined}
          className="flex items-center gap-2.5 text-body"
        >
          <span
            className={cx(
              'tabular grid size-7 shrink-0 place-items-center rounded-full border-[1.5px] text-[0.8125rem] font-medium',
              stepStates[state].circle,
            )}
          >
            {state === 'done' ? <Check aria-hidden="true" className="size-4" /> : index + 1}
          </span>
          <span className={state === 'current' ? 'font-medium' : 'text-ink-soft'}>
            {state === 'done' && onStep ? (
              <button
                type="button"
                className="min-h-6 text-left hover:text-ink hover:underline"
                onClick={() => onStep(index)}
              >
                {step}
              </button>
            ) : (
              step
            )}
            <span className="sr-only">, étape {stepStates[state].words}</span>
          </span>
        </li>
      )
    })}
  </ol>
)

type WizardProps = Omit<StepsProps, 'className'> & { children: ReactNode; summary?: ReactNode; actions: ReactNode }

/** Steps at the left, the step, the summary at the right; one column on a narrow screen. */
export const Wizard = ({ steps, current, onStep, children, summary, actions }: WizardProps) => (
  <div className="grid gap-8 lg:grid-cols-[12rem_minmax(0,1fr)_auto]">
    <Steps steps={steps} current={current} onStep={onStep} className="lg:flex-col" />
    <div className="min-w-0">
      {children}
      <footer className="mt-6 flex flex-wrap justify-between gap-2 border-t border-line pt-4">{actions}</footer>
    </div>
    {summary && (
      <aside aria-label="Récapitulatif" className="lg:w-64">
        {summary}
      </aside>
    )}
  </div>
)
