import type { OwnApplication } from '@voisol/contract/joining'
import { type FormEvent, useId, useState } from 'react'
import { randomId } from '../../lib/random-id.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { postForm } from '../forms/post.ts'

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
export function SignAgreement({ own, place, onSigned }: SignProps) {
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
