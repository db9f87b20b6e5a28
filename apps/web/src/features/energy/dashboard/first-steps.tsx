import Check from 'lucide-react/icons/check'
import { type ReactNode, useContext } from 'react'
import { Doors } from '../../../lib/doors.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { cardClass } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Link } from '../../../ui/link.tsx'
import { useConnected } from './connected.ts'
import { FirstStepsPicture } from './first-steps-picture.tsx'

type Known = { operationId: string | null; participants: number; companyId: number; hasCurves: boolean }
/** Connected: whether a participant has opened their own space. */
type Progress = Known & { connected: boolean }

type Step = { title: string; text: string; done: boolean; action: ReactNode }

function stepsOf({ operationId, participants, companyId, hasCurves, connected }: Progress): Step[] {
  const curves = `/companies/${companyId}/operations/${operationId ?? ''}/load-curves?onglet=imports`
  return [
    {
      title: 'Créez une opération',
      text: 'Son nom, son périmètre, ses producteurs, sa clé de répartition. Vous pourrez tout changer ensuite.',
      done: operationId !== null,
      action: <ButtonLink to="/acc-operations/new">Créer une opération</ButtonLink>,
    },
    {
      title: 'Importez les participants',
      text: 'Un fichier CSV ou Excel avec les noms et les PRM. Chaque ligne est vérifiée avant d’être enregistrée.',
      done: participants > 0,
      action: operationId !== null && (
        <ButtonLink to={`/acc-operations/${operationId}/participants`}>Importer les participants</ButtonLink>
      ),
    },
    {
      title: 'Importez les courbes de charge',
      text: 'Les fichiers d’Enedis tels qu’ils arrivent. La répartition se calcule alors quart d’heure par quart d’heure.',
      done: hasCurves,
      action: operationId !== null && participants > 0 && <ButtonLink to={curves}>Importer des courbes</ButtonLink>,
    },
    {
      title: 'Premier membre connecté',
      text: 'Invitez un participant à son espace, depuis sa fiche\u00a0: il y voit sa part d’énergie locale, jour après jour.',
      done: connected,
      action: <ButtonLink to="/participants">Inviter un participant</ButtonLink>,
    },
  ]
}

const Mark = ({ at, done, next }: { at: number; done: boolean; next: boolean }) => (
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

/** From nothing to the first member who sees their share: four steps, one at a time; nothing once all are done. */
export function FirstSteps(known: Known) {
  const connected = useConnected()
  const { opens } = useContext(Doors)
  if (known.hasCurves && connected !== false) return null
  const steps = stepsOf({ ...known, connected: connected ?? false })
  const next = steps.findIndex(({ done }) => !done)
  return (
    <section aria-labelledby="premiers-pas" className={cx(cardClass, 'overflow-hidden')}>
      <div className="grid items-center gap-6 border-b border-line bg-amber-50/60 p-6 sm:p-8 md:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h2 id="premiers-pas" className="text-xl font-semibold">
            Partagez votre premier kilowattheure
          </h2>
          <p className="prose-width mt-2 text-body text-ink-soft">
            Quatre étapes mènent d’un écran vide au premier membre qui voit sa part. Vous pouvez vous arrêter après
            chacune : tout est gardé.
          </p>
        </div>
        <FirstStepsPicture className="mx-auto w-56" />
      </div>
      <ol className="grid gap-px bg-line md:grid-cols-2 2xl:grid-cols-4">
        {steps.map(({ title, text, done, action }, at) => (
          <li key={title} className="flex gap-4 bg-card p-6" aria-current={at === next ? 'step' : undefined}>
            <Mark at={at + 1} done={done} next={at === next} />
            <div className="grid content-start gap-1.5">
              <h3 className="text-body font-semibold">
                {title}
                {done && <span className="sr-only">, fait</span>}
              </h3>
              <p className="text-body text-ink-soft">{text}</p>
              {at === next && action && <div className="mt-2">{action}</div>}
            </div>
          </li>
        ))}
      </ol>
      {known.operationId === null && opens('/projects/new') && (
        <p className="border-t border-line px-6 py-4 text-body text-ink-soft sm:px-8">
          L’opération n’existe pas encore ?{' '}
          <Link to="/projects/new" className="text-link">
            Commencez par un projet
          </Link>
          .
        </p>
      )}
    </section>
  )
}
