import { useWatch } from 'react-hook-form'
import { plural } from '../../../../lib/format.ts'
import { priceDoubt } from '../../../../lib/price.ts'
import { Button } from '../../../../ui/button.tsx'
import { Card } from '../../../../ui/card.tsx'
import { Findings } from '../../../../ui/findings.tsx'
import { type Problem, problemsOf } from '../check.ts'
import type { Draft } from '../draft.ts'
import { factsOf } from '../facts.ts'
import { findingsOf } from '../perimeter.ts'
import { stepOf } from '../server-issues.ts'
import type { DraftForm } from '../use-draft.ts'
import { useServerCheck } from '../use-server-check.ts'

const MOST = 3
const TARIFF = 6
type ReviewProps = { form: DraftForm; onStep: (step: number, problems?: Problem[]) => void }

const Wrong = ({ problems }: { problems: Problem[] }) =>
  problems.length > 0 && (
    <div role="status" className="mt-3 grid gap-1 text-[0.8125rem] text-danger">
      <p className="font-medium">{plural(problems.length, 'point')} à corriger à cette étape</p>
      {problems.slice(0, MOST).map(({ path, message }) => (
        <p key={path}>{message}</p>
      ))}
    </div>
  )

export function ReviewStep({ form, onStep }: ReviewProps) {
  const draft = useWatch({ control: form.control }) as Draft // every field has a default
  const refused = useServerCheck(form)
  const doubt = priceDoubt(draft.price)
  const wrongAt = (step: number) => [...problemsOf(draft, step), ...refused.filter(({ path }) => stepOf(path) === step)]
  return (
    <>
      <p className="prose-width text-body text-ink-soft">
        Relisez, puis créez l’opération&nbsp;: elle sera «&nbsp;en préparation&nbsp;» jusqu’à sa mise en service. Un
        brouillon peut être supprimé, tant qu’aucun relevé n’a été reçu.
      </p>
      <div className="grid gap-4 md:grid-cols-2 [&>*]:min-w-0">
        {factsOf(draft).map(({ step, title, facts }) => (
          <Card
            key={title}
            title={title}
            actions={
              <Button
                variant="quiet"
                size="small"
                aria-label={`Modifier\u00a0: ${title}`}
                onClick={() => onStep(step, wrongAt(step))}
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
            <Wrong problems={wrongAt(step)} />
            {step === TARIFF && doubt && <p className="mt-3 text-[0.8125rem] text-warning">{doubt}</p>}
          </Card>
        ))}
        <Card title="Distance et puissance">
          <Findings findings={findingsOf(draft)} fine="Les règles de distance et de puissance sont respectées." />
        </Card>
      </div>
    </>
  )
}
