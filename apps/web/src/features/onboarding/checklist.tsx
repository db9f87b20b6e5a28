import type { Onboarding } from '@voisol/contract/onboarding'
import { useContext } from 'react'
import { LinkAccessContext } from '../../lib/doors.ts'
import { useSession } from '../../lib/session.ts'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ExistingExample, TryExample } from './example.tsx'
import { FirstStepsIllustration } from './picture.tsx'
import { SampleFiles } from './samples.tsx'
import { OnboardingStepItem } from './step.tsx'
import { useOnboarding } from './use-onboarding.ts'
import { describeOnboardingProgress, getStepText, isOnboardingComplete } from './words.ts'

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
