import { useQuery, useQueryClient } from '@tanstack/react-query'
import { auth } from '@voisol/contract/auth'
import { type ONBOARDING_SAMPLES, type Onboarding, type OnboardingStep, onboarding } from '@voisol/contract/onboarding'
import Check from 'lucide-react/icons/check'
import Download from 'lucide-react/icons/download'
import { useContext, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { SmallHouse } from '../../../components/drawing/buildings.tsx'
import { computeViewBox } from '../../../components/drawing/iso.ts'
import { Drawing, EnergyCable, GroundPlate, Meter } from '../../../components/drawing/solids.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { call, download } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { LinkAccessContext } from '../../../lib/link-access.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { getHomePath } from '../../../lib/redirect.ts'
import { refreshUser, useSession } from '../../../lib/session.ts'
import { switchSessionCompany } from '../../../lib/session-place.ts'
import { toast } from '../../../lib/toast.ts'

const getIntroText = (data: Onboarding, filling: boolean) =>
  filling
    ? 'L’exemple se remplit\u00a0: ses étapes se cochent sous vos yeux, en une minute environ.'
    : `${describeOnboardingProgress(data)} Vous pouvez vous arrêter après chacune\u00a0: tout est gardé.`

/** A way to try without one's own data: another organisation that goes in one click, or two files. */
function ExampleSection({ data: { example, exampleOf, operationId } }: { data: Onboarding }) {
  const { opens } = useContext(LinkAccessContext)
  if (exampleOf) return null
  return (
    <div className="grid gap-4 border-t border-line px-6 py-5 text-body text-ink-soft sm:px-8 lg:grid-cols-2">
      <div className="grid content-start justify-items-start gap-3">
        <p className="prose-width">
          Une petite copropriété imaginaire, dans une organisation à part&nbsp;: rien n’y part par e-mail, et elle
          disparaît en un clic.
        </p>
        {example ? <ExistingExample example={example} /> : <TryExample />}
      </div>
      <div className="grid content-start justify-items-start gap-3">
        <p>Des fichiers pour essayer les imports&nbsp;: trois compteurs, trois jours.</p>
        <SampleFiles />
        {operationId === null && opens('/projects/new') && (
          <p>
            L’opération n’existe pas encore&nbsp;?{' '}
            <Link to="/projects/new" className="text-link">
              Commencez par un projet
            </Link>
            .
          </p>
        )}
      </div>
    </div>
  )
}

/** From nothing to the first invoice: what exists is ticked, and each other step has its door. On a screen of others it leaves when all is done. */
export function OnboardingChecklist({ leaves = false }: { leaves?: boolean }) {
  const companyId = useSession().user?.companyId ?? 0
  const { data, error, refetch, filling } = useOnboarding()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (leaves && isOnboardingComplete(data)) return null
  const place = { companyId, operationId: data.operationId }
  const next = data.steps.findIndex(({ done }) => !done)
  return (
    <section aria-labelledby="premiers-pas" className={cx(cardClass, 'overflow-hidden')}>
      <div className="grid items-center gap-6 border-b border-line bg-amber-50/60 p-6 sm:p-8 md:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h2 id="premiers-pas" className="text-xl font-semibold">
            Partagez votre premier kilowattheure
          </h2>
          <p className="prose-width mt-2 text-body text-ink-soft" aria-live="polite">
            {getIntroText(data, filling)}
          </p>
        </div>
        <FirstStepsIllustration className="mx-auto w-56" />
      </div>
      <ol className="grid gap-px bg-line sm:grid-cols-2 2xl:grid-cols-4">
        {data.steps.map((step, at) => (
          <OnboardingStepItem
            key={step.step}
            step={step}
            words={getStepText(step, place)}
            at={at + 1}
            next={at === next}
          />
        ))}
      </ol>
      <ExampleSection data={data} />
    </section>
  )
}

/** One roof and the neighbours it could feed. */
const FirstStepsIllustration = ({ className }: { className?: string }) => (
  <Drawing
    viewBox={computeViewBox([7, 5], 1.6)}
    className={className}
    label="Le toit d’une maison alimente la maison voisine."
  >
    <GroundPlate size={[7, 5]} />
    <EnergyCable
      points={[
        [1.9, 3.6, 0],
        [1.9, 4.3, 0],
        [5.6, 4.3, 0],
        [5.6, 3.4, 0],
      ]}
    />
    <SmallHouse at={[0.5, 0.8, 0]} panels={4} />
    <SmallHouse at={[4, 0.8, 0]} />
    <Meter at={[1.7, 3.3, 0]} />
    <Meter at={[5.3, 3.2, 0]} />
  </Drawing>
)

const POLL_MS = 2500

/** How far one has come. An example fills while it is looked at: each step of it brings the other figures of the page anew. */
function useOnboarding() {
  const client = useQueryClient()
  const result = useQuery({
    ...query(onboarding.get, {}),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.exampleOf && !isOnboardingComplete(data) ? POLL_MS : false),
  })
  const { data } = result
  const filling = Boolean(data?.exampleOf && !isOnboardingComplete(data))
  const done = data ? countDoneSteps(data) : 0
  const previousDone = useRef(done)
  useEffect(() => {
    const hasProgressed = previousDone.current > 0 && done > previousDone.current
    previousDone.current = done
    if (hasProgressed)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== onboarding.get.path })
  }, [done, client])
  return { ...result, filling }
}

const SAMPLE_FILES: { name: (typeof ONBOARDING_SAMPLES)[number]; label: string }[] = [
  { name: 'participants', label: 'Participants (CSV)' },
  { name: 'curves', label: 'Courbes de charge (CSV)' },
]

const showFailure = (error: unknown) =>
  toast({ title: 'Fichier non téléchargé', description: explainError(error), variant: 'destructive' })

/** The same three meters in both: imported one after the other, they make a first allocation. */
const SampleFiles = () => (
  <div className="flex flex-wrap gap-3">
    {SAMPLE_FILES.map(({ name, label }) => (
      <Button
        key={name}
        variant="quiet"
        icon={<Download aria-hidden="true" />}
        onClick={() => void download(onboarding.sample, { query: { name } }).catch(showFailure)}
      >
        {label}
      </Button>
    ))}
  </div>
)

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
function OnboardingStepItem({ step, words: { title, text, action, to }, at, next }: StepProps) {
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

/** Goes into the example. The session has just learnt of it: who one is is asked again. */
function useOpenExample() {
  const navigate = useNavigate()
  return async (companyId: number) => {
    await navigate(getHomePath(await switchSessionCompany(await call(auth.me, {}), companyId)))
  }
}

const TryExample = withAccess(onboarding.startExample, function Try() {
  const { run, isPending } = useAction(onboarding.startExample, [onboarding.get])
  const enter = useOpenExample()
  const startExample = async () => {
    try {
      await enter((await run({})).companyId)
    } catch (error) {
      toast({ title: 'L’exemple ne s’est pas ouvert', description: explainError(error), variant: 'destructive' })
    }
  }
  return (
    <Button variant="secondary" loading={isPending} onClick={() => void startExample()}>
      Essayer avec des données d’exemple
    </Button>
  )
})

/** Back into an example that exists, or rid of it. */
const ExistingExample = withAccess(
  onboarding.removeExample,
  function Known({ example }: { example: NonNullable<Onboarding['example']> }) {
    const { run } = useAction(onboarding.removeExample, [onboarding.get])
    const enter = useOpenExample()
    const remove = async () => {
      await run({})
      await refreshUser()
      toast({ title: 'Exemple supprimé', variant: 'success' })
    }
    return (
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => void enter(example.companyId)}>
          Ouvrir l’exemple
        </Button>
        <Confirm
          title="Supprimer l’exemple&nbsp;?"
          description="Ses participants, ses courbes et ses factures disparaissent. Votre organisation n’en est pas touchée, et vous pourrez en refaire un."
          action="Supprimer l’exemple"
          onConfirm={remove}
          trigger={<Button variant="quiet">Supprimer l’exemple</Button>}
        />
      </div>
    )
  },
)

type StepText = { title: string; text: string; action: string; to: string | null }
type StepLinkContext = { companyId: number; operationId: string | null }
type StepDefinition = { title: string; text: string; action: string; to: (place: StepLinkContext) => string | null }

/** Where a step needs an operation, there is nowhere to go before it exists. */
const linkToOperation =
  (path: (operationId: string, companyId: number) => string) =>
  ({ operationId, companyId }: StepLinkContext) =>
    operationId === null ? null : path(operationId, companyId)

const STEP_DEFINITIONS: Record<OnboardingStep['step'], StepDefinition> = {
  operation: {
    title: 'Créez une opération',
    text: 'Son nom, son périmètre, ses producteurs, sa clé de répartition. Vous pourrez tout changer ensuite.',
    action: 'Créer une opération',
    to: () => '/acc-operations/new',
  },
  participants: {
    title: 'Inscrivez les participants',
    text: 'Un fichier CSV ou Excel avec les noms et les PRM. Chaque ligne est vérifiée avant d’être enregistrée.',
    action: 'Importer les participants',
    to: linkToOperation((id) => `/acc-operations/${id}/participants`),
  },
  points: {
    title: 'Reliez leurs compteurs',
    text: 'Au moins un point qui produit et un point qui consomme.',
    action: 'Voir les compteurs',
    to: linkToOperation((id) => `/acc-operations/${id}/participants`),
  },
  consents: {
    title: 'Recueillez les accords',
    text: 'Invitez chaque participant à son espace\u00a0: il y accepte la collecte de ses mesures et y voit sa part.',
    action: 'Inviter un participant',
    to: linkToOperation(() => '/participants'),
  },
  key: {
    title: 'Adoptez une clé de répartition',
    text: 'La règle qui partage la production entre les voisins, à partir d’un jour choisi.',
    action: 'Choisir une clé',
    to: linkToOperation((id) => `/acc-operations/${id}/energy-distribution`),
  },
  curves: {
    title: 'Importez les courbes de charge',
    text: 'Les fichiers d’Enedis tels qu’ils arrivent, ou la synchronisation avec Enedis.',
    action: 'Importer des courbes',
    to: linkToOperation((id, company) => `/companies/${company}/operations/${id}/load-curves?onglet=imports`),
  },
  run: {
    title: 'Répartissez l’énergie',
    text: 'Quart d’heure par quart d’heure, avec la preuve que rien ne se perd.',
    action: 'Lancer un calcul',
    to: linkToOperation((id) => `/acc-operations/${id}/energy-distribution`),
  },
  invoice: {
    title: 'Émettez la première facture',
    text: 'Un vendeur, un prix, un mois terminé\u00a0: la clôture dit ce qui manque encore.',
    action: 'Ouvrir la facturation',
    to: linkToOperation(() => '/billing'),
  },
}

function getStepText({ step }: OnboardingStep, place: StepLinkContext): StepText {
  const { to, ...texts } = STEP_DEFINITIONS[step]
  return { ...texts, to: to(place) }
}

/** « 2 sur 3 », where all are wanted and some are there. */
const formatStepCount = ({ done, count, of }: OnboardingStep) =>
  !done && of !== null && count > 0 ? `${count}\u00a0sur\u00a0${of}` : ''

const isOnboardingComplete = ({ steps }: Pick<Onboarding, 'steps'>) => steps.every(({ done }) => done)
const countDoneSteps = ({ steps }: Pick<Onboarding, 'steps'>) => steps.filter(({ done }) => done).length

function describeOnboardingProgress(data: Pick<Onboarding, 'steps'>): string {
  const [done, all] = [countDoneSteps(data), data.steps.length]
  if (done === all) return `Les ${all} étapes sont faites.`
  if (done === 0) return `${all} étapes mènent d’un écran vide à la première facture.`
  return `${done} étape${done > 1 ? 's' : ''} sur ${all} ${done > 1 ? 'sont faites' : 'est faite'}.`
}
