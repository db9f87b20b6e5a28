import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Wizard } from '../../ui/steps.tsx'
import { buildOperationBody } from './wizard/body.ts'
import { checkWizardStep, findFirstProblem, type WizardProblem } from './wizard/check.ts'
import { getWizardStep, toWizardProblems } from './wizard/server-issues.ts'
import { ConsumersStep } from './wizard/steps/consumers.tsx'
import { IdentityStep } from './wizard/steps/identity.tsx'
import { KeyStep } from './wizard/steps/key.tsx'
import { OrganiserStep } from './wizard/steps/organiser.tsx'
import { PlaceStep } from './wizard/steps/place.tsx'
import { ProducersStep } from './wizard/steps/producers.tsx'
import { ReviewStep } from './wizard/steps/review.tsx'
import { TariffStep } from './wizard/steps/tariff.tsx'
import { DraftSummary } from './wizard/summary.tsx'
import { type DraftForm, useOperationDraft } from './wizard/use-draft.ts'

const STEPS = [
  { title: 'Identité', Step: IdentityStep },
  { title: 'Organisateur', Step: OrganiserStep },
  { title: 'Adresse et périmètre', Step: PlaceStep },
  { title: 'Producteurs', Step: ProducersStep },
  { title: 'Consommateurs', Step: ConsumersStep },
  { title: 'Clé de répartition', Step: KeyStep },
  { title: 'Tarif', Step: TariffStep },
  { title: 'Vérification', Step: ReviewStep },
]
const LAST_STEP = STEPS.length - 1

type WizardState = ReturnType<typeof useOperationDraft>

/** Creates the operation; what the server refuses leads back to its step and field. */
function useCreateOperation({ form, go, show, forget }: WizardState) {
  const navigate = useNavigate()
  const create = useAction(operations.create, [operations.list, energy.attention, energy.operations])
  const [status, setStatus] = useState<'draft' | 'pending'>()
  const showRefusal = (error: unknown, request: ReturnType<typeof buildOperationBody>) => {
    const problems = toWizardProblems(error instanceof ApiError ? (error.problem?.issues ?? []) : [], request)
    const [first] = problems
    if (!first) return show([{ path: 'root.server', message: explainError(error) }])
    const step = getWizardStep(first.path)
    go(step)
    show(problems.filter(({ path }) => getWizardStep(path) === step))
  }
  const save = async (newStatus: 'draft' | 'pending') => {
    const firstProblemStep = findFirstProblem(form.getValues())
    if (firstProblemStep) {
      go(firstProblemStep.step)
      return show(firstProblemStep.problems)
    }
    const request = buildOperationBody(form.getValues(), newStatus)
    setStatus(newStatus)
    try {
      const { id } = await create.run({ body: request.body })
      forget()
      toast({ title: newStatus === 'draft' ? 'Brouillon enregistré' : 'Opération créée', variant: 'success' })
      await navigate(`/acc-operations/${id}`)
    } catch (error) {
      showRefusal(error, request)
    } finally {
      setStatus(undefined)
    }
  }
  return { save, status }
}

function WizardActions({ wizard, next }: { wizard: WizardState; next: () => void }) {
  const { save, status } = useCreateOperation(wizard)
  const { step, go } = wizard
  return (
    <>
      <Button
        variant="secondary"
        icon={<ArrowLeft aria-hidden="true" />}
        disabled={step === 0}
        onClick={() => go(step - 1)}
      >
        Étape précédente
      </Button>
      {step < LAST_STEP ? (
        <Button onClick={next}>
          Continuer
          <ArrowRight aria-hidden="true" />
        </Button>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            loading={status === 'draft'}
            disabled={status !== undefined}
            onClick={() => save('draft')}
          >
            Enregistrer comme brouillon
          </Button>
          <Button loading={status === 'pending'} disabled={status !== undefined} onClick={() => save('pending')}>
            Créer l’opération
          </Button>
        </div>
      )}
    </>
  )
}

const RestartButton = ({ onConfirm }: { onConfirm: () => void }) => (
  <Confirm
    title="Recommencer la saisie"
    description="Tout ce que vous avez saisi dans cet assistant sera effacé. Cela ne peut pas être annulé."
    action="Effacer la saisie"
    onConfirm={onConfirm}
    trigger={<Button variant="quiet">Recommencer</Button>}
  />
)

/** A new step is read from its heading; the first one leaves focus where the page put it. */
function StepHeading({ step }: { step: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shownStep = useRef(step)
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus()
    shownStep.current = step
  }, [step])
  return (
    <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
      {STEPS[step]?.title}
    </h2>
  )
}

const focusFirstError = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()

function StepForm({ wizard, next }: { wizard: WizardState; next: () => void }) {
  const { form, step, go, show } = wizard
  const element = useRef<HTMLFormElement>(null)
  const { errors } = form.formState
  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstError(element.current)
  }, [errors])
  const Step: (props: {
    form: DraftForm
    onStep: (step: number, problems?: WizardProblem[]) => void
  }) => React.ReactNode = STEPS[step]?.Step ?? IdentityStep
  return (
    <form
      ref={element}
      noValidate
      className="grid gap-5 [&>*]:min-w-0"
      onSubmit={(event) => {
        event.preventDefault()
        if (step < LAST_STEP) next()
      }}
    >
      <StepHeading step={step} />
      <FormErrors form={form} />
      <Step
        form={form}
        onStep={(next, problems = []) => {
          go(next)
          show(problems)
        }}
      />
    </form>
  )
}

export default function NewOperation() {
  const wizard = useOperationDraft()
  const { form, step, go, show, forget } = wizard
  const next = () => {
    const problems = checkWizardStep(form.getValues(), step)
    if (problems.length > 0) show(problems)
    else go(step + 1)
  }
  return (
    <>
      <PageHeader
        title="Nouvelle opération"
        description="Huit étapes. Seul le nom est indispensable&nbsp;: le reste peut être complété plus tard."
        actions={
          <RestartButton
            onConfirm={() => {
              forget()
              go(0)
            }}
          />
        }
      />
      <Wizard
        steps={STEPS.map(({ title }) => title)}
        current={step}
        onStep={go}
        summary={<DraftSummary form={form} />}
        actions={<WizardActions wizard={wizard} next={next} />}
      >
        <StepForm wizard={wizard} next={next} />
      </Wizard>
    </>
  )
}
