import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../components/button.tsx'
import { randomId } from '../../lib/random-id.ts'
import { postForm } from './post-form.ts'
import { NewsletterForm } from './site-form.tsx'

function SubscriptionChoice({ cle }: { cle: string }) {
  const [busy, setBusy] = useState('')
  const [words, setWords] = useState<{ ok: boolean; text: string } | null>(null)
  const choose = async (choice: 'confirm' | 'leave') => {
    setBusy(choice)
    const reply = await postForm('/api/newsletter/subscription', { key: cle, choice }, randomId())
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

/** Where the links of the letter lead. */
export default function SubscriptionPage() {
  const [search] = useSearchParams()
  const cle = search.get('cle')
  return (
    <div className="mx-auto max-w-[960px] px-4 py-16 sm:px-6 lg:py-24">
      <h1 className="mb-6 text-4xl font-semibold leading-tight outline-none">Votre abonnement à la lettre</h1>
      {cle ? <SubscriptionChoice cle={cle} /> : <NewsletterForm />}
    </div>
  )
}
