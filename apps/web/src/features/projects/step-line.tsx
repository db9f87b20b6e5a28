import type { ProjectDetail } from '@voisol/contract/projects'
import { formatDate } from '../../lib/format.ts'
import { CheckboxInput } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import type { ProjectUpdateBody, StepLine } from './body.ts'
import { LineActions } from './line-actions.tsx'
import { getTodayInParis } from './today.ts'

/** When it was done, or until when it is to be. */
export function describeStep({ dueOn, doneOn }: StepLine, day = getTodayInParis()) {
  if (doneOn) return `Faite le ${formatDate(doneOn)}`
  if (!dueOn) return 'Sans échéance'
  if (dueOn < day) return `En retard\u00a0: échéance le ${formatDate(dueOn)}`
  return dueOn === day ? 'Pour aujourd’hui' : `Pour le ${formatDate(dueOn)}`
}

/** What may be done with a line, by those who may change the project. */
export type StepActions = {
  project: ProjectDetail
  without: Partial<ProjectUpdateBody>
  saving: boolean
  onTick: (on: boolean) => void
  onEdit: () => void
}
type Props = { step: StepLine; current: boolean; last: boolean; change: StepActions | undefined }

export function StepLineItem({ step, current, last, change }: Props) {
  const isLate = !step.doneOn && step.dueOn !== null && step.dueOn < getTodayInParis()
  return (
    <li aria-current={current ? 'step' : undefined} className="group relative flex gap-3 pb-5 last:pb-0">
      {!last && (
        <span aria-hidden="true" className="absolute top-7 bottom-0 left-3 w-px -translate-x-px bg-line-strong" />
      )}
      <CheckboxInput
        aria-label={`${step.title}, faite`}
        checked={step.doneOn !== null}
        disabled={!change || change.saving}
        onChange={(event) => change?.onTick(event.target.checked)}
      />
      <div className="min-w-0 flex-1 pt-0.5">
        <p className={cx('text-body', current && 'font-semibold', step.doneOn && 'text-ink-soft')}>{step.title}</p>
        <p className={cx('tabular text-[0.8125rem]', isLate ? 'font-medium text-danger' : 'text-ink-soft')}>
          {describeStep(step)}
        </p>
      </div>
      {change && (
        <span className="-mt-1.5 inline-flex shrink-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:hover)]:opacity-0">
          <LineActions
            project={change.project}
            without={change.without}
            name={step.title}
            what="cette étape"
            onEdit={change.onEdit}
          />
        </span>
      )}
    </li>
  )
}
