import { withDe } from '@voisol/contract/elision'
import type { OwnApplication } from '@voisol/contract/joining'
import { type FormEvent, useCallback, useEffect, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, getButtonClass } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { FieldFrame, Input } from '../../components/input.tsx'
import { formatLongDate } from '../../lib/format.ts'
import { randomId } from '../../lib/random-id.ts'
import { postForm } from '../forms/post-form.ts'
import { JoinShell } from './join-shell.tsx'

const STATE_TITLES: Record<OwnApplication['state'], string> = {
  draft: 'Votre demande',
  verified: 'Lire l’accord et le signer',
  waiting: 'Votre demande est signée',
  accepted: 'Votre demande est acceptée',
  refused: 'Votre demande n’est pas acceptée',
  withdrawn: 'Votre demande est retirée',
}

const describeApplication = ({ state, operation, email, effectiveOn, reason, firstOn, organiser }: OwnApplication) =>
  ({
    draft: '',
    verified: `Votre adresse ${email} est confirmée. Il reste à lire l’accord ${withDe(operation)}, à choisir ce que vous acceptez pour vos données, et à signer. Première entrée possible\u00a0: le ${formatLongDate(firstOn)}.`,
    waiting: `${organiser} l’étudie et vous répond par e-mail, à l’adresse ${email}.`,
    accepted: `Vous recevez l’énergie partagée ${withDe(operation)} à partir du ${formatLongDate(effectiveOn ?? firstOn)}. Une invitation à ouvrir votre espace vous a été envoyée.`,
    refused: `${organiser} vous en dit la raison\u00a0: ${reason}`,
    withdrawn: 'Il n’en sera rien fait. Vous pouvez en faire une autre depuis la page de l’opération.',
  })[state]

type ApplicationLink = { slug: string; cle: string }

function WithdrawApplication({ slug, cle, onDone }: ApplicationLink & { onDone: () => void }) {
  const [sure, setSure] = useState(false)
  const [problem, setProblem] = useState('')
  const run = async () => {
    const reply = await postForm(`/api/join/${slug}/withdrawal`, { key: cle }, randomId())
    if (reply.ok) onDone()
    else setProblem(reply.message)
  }
  if (!sure)
    return (
      <Button variant="quiet" onClick={() => setSure(true)}>
        Retirer ma demande
      </Button>
    )
  return (
    <div className="flex flex-wrap items-center gap-3">
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <p>Retirer cette demande&nbsp;? Il faudra en faire une autre pour rejoindre l’opération.</p>
      <Button variant="danger" onClick={() => void run()}>
        Oui, la retirer
      </Button>
    </div>
  )
}

function ApplicationStatus({
  own,
  place,
  onOwn,
}: {
  own: OwnApplication
  place: ApplicationLink
  onOwn: (own: OwnApplication) => void
}) {
  const open = own.state === 'verified' || own.state === 'waiting'
  return (
    <>
      <h1 className="text-3xl font-semibold leading-tight outline-none sm:text-4xl">{STATE_TITLES[own.state]}</h1>
      <p role="status" className="mt-4 text-lg leading-relaxed whitespace-pre-line text-ink-soft">
        {describeApplication(own)}
      </p>
      {own.state === 'verified' && <SignAgreement own={own} place={place} onSigned={onOwn} />}
      <div className="mt-8 flex flex-wrap items-center gap-3">
        {own.hasPaper && (
          <a
            href={`/api/join/${place.slug}/paper?key=${encodeURIComponent(place.cle)}`}
            className={getButtonClass({ variant: 'secondary' })}
          >
            Télécharger l’accord signé (PDF)
          </a>
        )}
        {open && <WithdrawApplication {...place} onDone={() => onOwn({ ...own, state: 'withdrawn' })} />}
      </div>
    </>
  )
}

const ApplicationNotFound = ({ words }: { words: string }) => (
  <>
    <h1 className="text-3xl font-semibold leading-tight outline-none sm:text-4xl">Suivre une demande</h1>
    <p role="status" className="mt-4 text-lg text-ink-soft">
      {words}
    </p>
    <p className="prose-width mt-6 text-body text-ink-soft">
      Vous y lisez où en est votre demande, vous signez l’accord de participation et vous en gardez une copie. Vous
      pouvez la retirer tant que l’organisateur n’a pas décidé. Si la page reste vide, autorisez JavaScript dans votre
      navigateur, ou écrivez à l’organisateur&nbsp;: son adresse est dans le message reçu.
    </p>
  </>
)

const MISSING_LINK_MESSAGE =
  'Ouvrez le lien que nous vous avons envoyé par e-mail\u00a0: il mène à votre demande pour rejoindre une opération.'

/** Where the link of an application leads: to sign, to follow, to take it back. */
export default function OwnApplicationPage() {
  const [search] = useSearchParams()
  const [slug, cle] = [search.get('operation') ?? '', search.get('cle') ?? '']
  const [own, setOwn] = useState<OwnApplication | null>(null)
  const [problem, setProblem] = useState('')
  const open = useCallback(async () => {
    if (!slug || !cle) return setProblem(MISSING_LINK_MESSAGE)
    const reply = await postForm(`/api/join/${encodeURIComponent(slug)}/application`, { key: cle }, randomId())
    if (reply.ok)
      setOwn(reply.data as OwnApplication) // the endpoint's own answer
    else setProblem(reply.message)
  }, [slug, cle])
  useEffect(() => void open(), [open])
  return (
    <JoinShell organiser={{ name: own?.organiser ?? 'Énergie solaire partagée' }}>
      <div className="mx-auto max-w-[760px] px-4 py-12 sm:px-6 lg:py-16">
        {own ? (
          <ApplicationStatus own={own} place={{ slug, cle }} onOwn={setOwn} />
        ) : (
          <ApplicationNotFound words={problem || 'Votre demande s’ouvre…'} />
        )}
      </div>
    </JoinShell>
  )
}

type SignProps = {
  own: OwnApplication
  place: { slug: string; cle: string }
  onSigned: (own: OwnApplication) => void
}
type SignErrors = { name?: string; consents?: string }

const COLLECTION_REQUIRED =
  'La collecte de vos mesures est nécessaire pour partager l’énergie\u00a0: cochez la première case.'
const NAME_REQUIRED = 'Écrivez votre nom en toutes lettres.'

function ConsentChoices({ own, fault }: { own: OwnApplication; fault: string | undefined }) {
  return (
    <fieldset className="grid gap-4" aria-describedby={fault && 'consents-error'}>
      <legend className="mb-3 text-xl font-semibold">Ce que vous acceptez pour vos données</legend>
      {own.texts.map(({ purpose, title, text }) => (
        <Checkbox
          key={purpose}
          name="consents"
          value={purpose}
          label={
            <span className="font-medium">
              {title}
              {purpose === 'collection' ? ' (nécessaire)' : ' (facultatif)'}
            </span>
          }
          hint={text}
        />
      ))}
      {fault && (
        <p id="consents-error" role="alert" className="text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

/** The text, one box for each use of one's data, and the name typed by hand: what is kept is what was shown. */
function SignAgreement({ own, place, onSigned }: SignProps) {
  const id = useId()
  const [faults, setFaults] = useState<SignErrors>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const [name, consents] = [String(data.get('name') ?? '').trim(), data.getAll('consents').map(String)]
    const errors: SignErrors = {
      ...(!consents.includes('collection') && { consents: COLLECTION_REQUIRED }),
      ...(!name && { name: NAME_REQUIRED }),
    }
    setFaults(errors)
    const first = errors.consents ? 'consents' : errors.name && 'name'
    if (first) return void form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    setBusy(true)
    const body = { key: place.cle, hash: own.hash, name, consents }
    const reply = await postForm(`/api/join/${encodeURIComponent(place.slug)}/signature`, body, randomId())
    setBusy(false)
    if (!reply.ok) return setRefusal([reply.message, ...reply.issues.map(({ message }) => message)].join(' '))
    onSigned(reply.data as OwnApplication) // the endpoint's own answer
    window.scrollTo({ top: 0 })
  }
  return (
    <form noValidate onSubmit={submit} className="mt-8 grid gap-8">
      {refusal && (
        <p role="alert" className="rounded-card border border-danger/30 bg-danger-soft p-4 text-danger">
          {refusal}
        </p>
      )}
      <section
        aria-label="Accord de participation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-card border border-line bg-page p-5 break-words whitespace-pre-line"
      >
        {own.text}
      </section>
      <ConsentChoices own={own} fault={faults.consents} />
      <FieldFrame
        id={id}
        label="Votre signature"
        hint="Écrivez votre nom en toutes lettres&nbsp;: la date, l’heure, votre adresse IP et votre navigateur sont gardés comme preuve."
        {...(faults.name && { error: faults.name })}
      >
        <Input
          id={id}
          name="name"
          autoComplete="off"
          aria-invalid={faults.name ? true : undefined}
          aria-describedby={faults.name ? `${id}-hint ${id}-error` : `${id}-hint`}
        />
      </FieldFrame>
      <Button type="submit" size="large" loading={busy} className="justify-self-start">
        Signer l’accord
      </Button>
    </form>
  )
}
