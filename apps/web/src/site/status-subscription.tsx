import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { randomId } from '../lib/random-id.ts'
import { Button } from '../ui/button.tsx'
import { postForm } from './forms/post.ts'
import { SiteForm } from './forms/site-form.tsx'

type SubscriptionAnswer = 'confirm' | 'leave'

function SubscriptionChoice({ cle }: { cle: string }) {
  const [busy, setBusy] = useState<SubscriptionAnswer | ''>('')
  const [words, setWords] = useState<{ ok: boolean; text: string } | null>(null)
  const choose = async (choice: SubscriptionAnswer) => {
    setBusy(choice)
    const reply = await postForm('/api/status/subscription/choice', { key: cle, choice }, randomId())
    setWords(reply.ok ? { ok: true, text: String(reply.data.message) } : { ok: false, text: reply.message })
    setBusy('')
  }
  return (
    <div className="grid gap-4">
      {words && (
        <p role={words.ok ? 'status' : 'alert'} className={words.ok ? 'font-medium text-success' : 'text-danger'}>
          {words.text}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button size="large" loading={busy === 'confirm'} onClick={() => void choose('confirm')}>
          Confirmer mon abonnement
        </Button>
        <Button size="large" variant="secondary" loading={busy === 'leave'} onClick={() => void choose('leave')}>
          Me désabonner
        </Button>
      </div>
    </div>
  )
}

/** Asked for here, confirmed from the mail, left in one click. */
export function StatusSubscription() {
  const [search] = useSearchParams()
  const cle = search.get('cle')
  return (
    <section
      id="abonnement"
      aria-labelledby="abonnement-titre"
      className="mt-12 scroll-mt-24 rounded-card border border-line bg-card p-6 sm:p-8"
    >
      <h2 id="abonnement-titre" className="text-xl font-semibold">
        {cle ? 'Votre abonnement à l’état du service' : 'Être prévenu'}
      </h2>
      <p className="mt-2 mb-5 max-w-xl text-ink-soft">
        Un e-mail à chaque incident et à chaque maintenance, et l’on se désabonne d’un clic.
      </p>
      {cle ? (
        <SubscriptionChoice cle={cle} />
      ) : (
        <SiteForm
          path="/api/status/subscription"
          fields={[{ name: 'email', label: 'Adresse e-mail', type: 'email', autoComplete: 'email', maxLength: 254 }]}
          action="Me prévenir"
          note="Un message de confirmation vous sera envoyé."
        />
      )}
    </section>
  )
}
