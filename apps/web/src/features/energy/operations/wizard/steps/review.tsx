import { operations } from '@voisol/contract/operations'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Button } from '../../../../../components/button.tsx'
import { Card } from '../../../../../components/card.tsx'
import { CheckFindingList } from '../../../../../components/issue-list.tsx'
import { formatCount } from '../../../../../lib/format.ts'
import { getPriceWarning } from '../../../../../lib/price.ts'
import { useAction } from '../../../../../lib/queries.ts'
import {
  checkWizardStep,
  findFirstProblem,
  getWizardStep,
  toWizardProblems,
  type WizardProblem,
} from '../check-draft.ts'
import type { OperationWizardDraft } from '../draft.ts'
import { buildOperationBody } from '../draft-body.ts'
import { buildDraftFacts, checkDraftPerimeter } from '../perimeter.ts'
import type { DraftForm } from '../use-draft.ts'

const MAX_SHOWN_PROBLEMS = 3
const TARIFF_STEP = 6
type ReviewProps = { form: DraftForm; onStep: (step: number, problems?: WizardProblem[]) => void }

const StepProblems = ({ problems }: { problems: WizardProblem[] }) =>
  problems.length > 0 && (
    <div role="status" className="mt-3 grid gap-1 text-[0.8125rem] text-danger">
      <p className="font-medium">{formatCount(problems.length, 'point')} à corriger à cette étape</p>
      {problems.slice(0, MAX_SHOWN_PROBLEMS).map(({ path, message }) => (
        <p key={path}>{message}</p>
      ))}
    </div>
  )

export function ReviewStep({ form, onStep }: ReviewProps) {
  const draft = useWatch({ control: form.control }) as OperationWizardDraft // every field has a default
  const serverProblems = useServerCheck(form)
  const priceWarning = getPriceWarning(draft.price)
  const getProblemsAt = (step: number) => [
    ...checkWizardStep(draft, step),
    ...serverProblems.filter(({ path }) => getWizardStep(path) === step),
  ]
  return (
    <>
      <p className="prose-width text-body text-ink-soft">
        Relisez, puis créez l’opération&nbsp;: elle sera «&nbsp;en préparation&nbsp;» jusqu’à sa mise en service. Un
        brouillon peut être supprimé, tant qu’aucun relevé n’a été reçu.
      </p>
      <div className="grid gap-4 md:grid-cols-2 [&>*]:min-w-0">
        {buildDraftFacts(draft).map(({ step, title, facts }) => (
          <Card
            key={title}
            title={title}
            actions={
              <Button
                variant="quiet"
                size="small"
                aria-label={`Modifier\u00a0: ${title}`}
                onClick={() => onStep(step, getProblemsAt(step))}
              >
                Modifier
              </Button>
            }
          >
            <dl className="grid gap-2">
              {facts.map(({ label, value }) => (
                <div key={label} className="flex justify-between gap-4 text-body">
                  <dt className="shrink-0 text-ink-soft">{label}</dt>
                  <dd className="tabular min-w-0 text-right font-medium break-words">{value}</dd>
                </div>
              ))}
            </dl>
            <StepProblems problems={getProblemsAt(step)} />
            {step === TARIFF_STEP && priceWarning && (
              <p className="mt-3 text-[0.8125rem] text-warning">{priceWarning}</p>
            )}
          </Card>
        ))}
        <Card title="Distance et puissance">
          <CheckFindingList
            findings={checkDraftPerimeter(draft)}
            fine="Les règles de distance et de puissance sont respectées."
          />
        </Card>
      </div>
    </>
  )
}

/** What the server would refuse of the draft as it stands, asked once when it is read over; none until it has answered. */
function useServerCheck(form: DraftForm): WizardProblem[] {
  const { run } = useAction(operations.check, [])
  const [initial] = useState(() => ({ draft: form.getValues(), run }))
  const [problems, setProblems] = useState<WizardProblem[]>([])
  useEffect(() => {
    let isActive = true
    const { draft, run: checkDraft } = initial
    const request = buildOperationBody(draft, 'pending')
    // What is already known to be wrong is told without it; a failure is told when the operation is created.
    if (!findFirstProblem(draft))
      checkDraft({ body: request.body }).then(
        ({ issues }) => isActive && setProblems(toWizardProblems(issues, request)),
        () => {},
      )
    return () => {
      isActive = false
    }
  }, [initial])
  return problems
}
