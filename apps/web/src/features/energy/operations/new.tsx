import { useQuery } from '@tanstack/react-query'
import { companies } from '@voisol/contract/companies'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Building2 from 'lucide-react/icons/building-2'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { CommuneFields } from '../../../components/commune-fields.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { Wizard } from '../../../components/steps.tsx'
import { ApiError } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import {
  ALLOCATION_METHOD_LABELS,
  PERIMETER_LABELS,
  toChoices,
  VAT_MODE_LABELS,
  ZONE_LABELS,
} from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatPrice, parsePrice } from '../../../lib/price.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import {
  checkWizardStep,
  findFirstProblem,
  getWizardStep,
  toWizardProblems,
  type WizardProblem,
} from './wizard/check-draft.ts'
import { isBlankRow, type OperationWizardDraft } from './wizard/draft.ts'
import { buildOperationBody } from './wizard/draft-body.ts'
import { computeDraftPower, formatPeakPower } from './wizard/perimeter.ts'
import { PerimeterCheck } from './wizard/perimeter-check.tsx'
import { ConsumersStep } from './wizard/steps/consumers.tsx'
import { KeyStep } from './wizard/steps/key.tsx'
import { ProducersStep } from './wizard/steps/producers.tsx'
import { ReviewStep } from './wizard/steps/review.tsx'
import { type DraftForm, useOperationDraft } from './wizard/use-draft.ts'

const describePerimeterRule = (perimeter: keyof typeof RULES) => {
  const { km, watts } = RULES[perimeter]
  const reach = km === null ? 'sans limite de distance chiffrée' : `au plus ${km}\u00a0km entre deux points`
  return `${reach}, moins de ${watts / 1_000_000}\u00a0MW`
}

const PerimeterChoice = ({ form }: { form: DraftForm }) => {
  const value = useWatch({ control: form.control, name: 'perimeter' })
  return (
    <RadioGroup
      {...form.register('perimeter')}
      label="Type de périmètre"
      value={value}
      options={toChoices(PERIMETER_LABELS).map((option) => ({ ...option, hint: describePerimeterRule(option.value) }))}
    />
  )
}

const PlaceStep = ({ form }: { form: DraftForm }) => (
  <>
    <Field form={form} name="address" label="Adresse" placeholder="12 rue du Soleil" optional />
    <CommuneFields form={form} postalCode="postalCode" city="city" />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        form={form}
        name="position"
        label="Coordonnées"
        hint="Latitude et longitude, comme une carte les donne."
        placeholder="45,7601 ; 4,8512"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name="capacity"
        label="Puissance crête prévue, en kWc"
        hint="Celle des producteurs la remplace dès qu’ils sont saisis."
        inputMode="decimal"
        autoComplete="off"
        optional
      />
    </div>
    <PerimeterChoice form={form} />
    <Field form={form} name="zone" label="Zone">
      {(control) => <Select {...control} options={toChoices(ZONE_LABELS)} />}
    </Field>
    <PerimeterCheck form={form} />
  </>
)

/** Often the organisation itself is the legal person: one press writes it. */
const OwnCompanyButton = withAccess(companies.get, ({ form }: { form: DraftForm }) => {
  const { user } = useSession()
  const companyId = user?.companyId ?? 0
  const { data } = useQuery({ ...query(companies.get, { params: { companyId } }), enabled: companyId > 0 })
  if (!data) return null
  const fillFromCompany = () => {
    form.setValue('pmoName', data.legalName || data.name, { shouldDirty: true })
    form.setValue('pmoSiren', data.siren, { shouldDirty: true })
  }
  return (
    <Button
      variant="secondary"
      icon={<Building2 aria-hidden="true" />}
      className="justify-self-start"
      onClick={fillFromCompany}
    >
      C’est {data.legalName || data.name}
    </Button>
  )
})

const OrganiserStep = ({ form }: { form: DraftForm }) => (
  <>
    <p className="prose-width text-body text-ink-soft">
      La personne morale organisatrice réunit producteurs et consommateurs&nbsp;: association, coopérative, copropriété,
      bailleur, collectivité… Elle signe la convention avec le gestionnaire de réseau.
    </p>
    <OwnCompanyButton form={form} />
    <Field form={form} name="pmoName" label="Dénomination" optional />
    <Field
      form={form}
      name="pmoSiren"
      label="SIREN"
      hint="Neuf chiffres&nbsp;; les espaces sont acceptés."
      inputMode="numeric"
      autoComplete="off"
      optional
    />
  </>
)

const TariffStep = ({ form }: { form: DraftForm }) => (
  <>
    <p className="prose-width text-body text-ink-soft">
      Le prix auquel les consommateurs achètent l’énergie partagée, hors taxes et hors acheminement. Sans prix,
      l’énergie est comptée mais pas valorisée.
    </p>
    <div className="grid gap-4 sm:grid-cols-2">
      <PriceField
        form={form}
        name="price"
        label="Prix de vente, en c€/kWh"
        hint="Hors taxes&nbsp;: 12,5 pour douze centimes et demi le kWh."
        optional
      />
      <Field form={form} name="vatMode" label="Régime de TVA" hint="Celui du producteur qui vend.">
        {(control) => <Select {...control} options={toChoices(VAT_MODE_LABELS)} />}
      </Field>
    </div>
    <Field
      form={form}
      name="surplusBuyer"
      label="Acheteur du surplus"
      hint="Celui qui achète ce que l’opération ne consomme pas."
      optional
    />
  </>
)

const IdentityStep = ({ form }: { form: DraftForm }) => (
  <>
    <Field form={form} name="name" label="Nom de l’opération" placeholder="Résidence des Tilleuls" />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        form={form}
        name="accNumber"
        label="Numéro ACC"
        hint="Attribué par le gestionnaire de réseau à la signature de la convention."
        placeholder="ACC00000537"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name="startsOn"
        label="Date de début"
        hint="Le premier jour où l’énergie est partagée."
        type="date"
        optional
      />
    </div>
    <Field form={form} name="description" label="Description" optional>
      {(control) => <Textarea {...control} rows={3} />}
    </Field>
  </>
)

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

/** The operation as it takes shape, beside every step. */
function DraftSummary({ form }: { form: DraftForm }) {
  const draft = useWatch({ control: form.control }) as OperationWizardDraft // every field has a default
  const { watts } = computeDraftPower(draft)
  const count = (rows: { name: string; prm: string }[]) => rows.filter((row) => !isBlankRow(row)).length
  const parsedPrice = parsePrice(draft.price)
  const lines = [
    ['Périmètre', PERIMETER_LABELS[draft.perimeter]],
    ['Puissance', watts > 0 ? formatPeakPower(watts) : '–'],
    ['Producteurs', formatCount(count(draft.producers), 'installation')],
    ['Consommateurs', formatCount(count(draft.consumers), 'point')],
    ['Clé', ALLOCATION_METHOD_LABELS[draft.method].label],
    ['Prix', parsedPrice === null ? '–' : formatPrice(parsedPrice)],
  ]
  return (
    <div className={cx(cardClass, 'p-5 lg:sticky lg:top-20')}>
      <p className="text-[0.8125rem] text-ink-soft">Votre opération</p>
      <p className="mt-0.5 text-base font-semibold break-words">{draft.name || 'Sans nom pour l’instant'}</p>
      <dl className="mt-4 grid gap-3">
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
            <dd className="tabular text-body font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 border-t border-line pt-3 text-[0.8125rem] text-ink-soft">
        Votre saisie est gardée dans cet onglet&nbsp;: vous pouvez quitter cette page et y revenir.
      </p>
    </div>
  )
}
