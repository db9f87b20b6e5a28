import { useMutation, useQuery } from '@tanstack/react-query'
import { online } from '@voisol/contract/online'
import type { OnlineMethod } from '@voisol/contract/online-views'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatMoney } from '../../../lib/format.ts'
import { buildMutation, query, withCallKey } from '../../../lib/queries.ts'
import { ONLINE_STATE_LABELS } from './labels.ts'

const CARDS: { number: string; what: string }[] = [
  { number: '4242 4242 4242 4242', what: 'Acceptée' },
  { number: '4000 0025 0000 3155', what: 'La banque demande une confirmation' },
  { number: '4000 0000 0000 0002', what: 'Refusée sans raison' },
  { number: '4000 0000 0000 9995', what: 'Refusée, faute de provision' },
  { number: '4000 0000 0000 0069', what: 'Refusée, carte expirée' },
  { number: '4000 0000 0000 0259', what: 'Acceptée, puis contestée' },
  { number: 'FR14 2004 1010 0505 0001 3M02 606', what: 'Prélèvement accepté sous trois jours' },
  { number: 'FR84 2004 1010 0505 0001 3M02 607', what: 'Prélèvement refusé sous trois jours' },
]
const LAST_PAYMENT_KEY = 'essai'

const LastTestPayment = ({ id }: { id: string }) => {
  const { data, error } = useQuery({ ...query(online.trial, { params: { id } }), staleTime: 0 })
  if (error) return <p className="text-body text-ink-soft">{explainError(error)}</p>
  if (!data) return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-body">
      Votre dernier essai, {formatMoney(data.amount)}&nbsp;:{' '}
      <Badge tone={ONLINE_STATE_LABELS[data.state].tone}>{ONLINE_STATE_LABELS[data.state].label}</Badge>
    </p>
  )
}

function StartTestPayment() {
  const [search] = useSearchParams()
  const last = search.has(LAST_PAYMENT_KEY) ? sessionStorage.getItem(LAST_PAYMENT_KEY) : null
  const [isLeaving, setIsLeaving] = useState(false)
  const start = useMutation(buildMutation(online.tryPay))
  const startPayment = async (method: OnlineMethod) => {
    const payment = await start.mutateAsync(withCallKey({ body: { method } }))
    sessionStorage.setItem(LAST_PAYMENT_KEY, payment.id)
    setIsLeaving(true)
    if (payment.url) location.assign(payment.url)
  }
  const busy = start.isPending || isLeaving
  return (
    <div className="grid gap-4">
      {last && <LastTestPayment id={last} />}
      {start.error && (
        <p role="alert" className="text-body text-danger">
          {explainError(start.error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button loading={busy} onClick={() => void startPayment('card').catch(() => {})}>
          Essayer par carte
        </Button>
        <Button variant="secondary" disabled={busy} onClick={() => void startPayment('debit').catch(() => {})}>
          Essayer par prélèvement
        </Button>
      </div>
    </div>
  )
}

/** A payment with test cards on the stand-in, for anybody; production has neither. */
export default function TestPayments() {
  return (
    <main className="mx-auto grid w-full max-w-2xl gap-6 px-4 py-10 [&>*]:min-w-0">
      <header>
        <h1 className="text-3xl font-semibold">Paiements d’essai</h1>
        <p className="prose-width mt-2 text-lg text-ink-soft">
          La page de paiement du bac à sable, telle qu’un participant la voit. Aucun argent ne circule.
        </p>
      </header>
      <Card title="Faire un essai">
        <StartTestPayment />
      </Card>
      <Card title="Cartes et comptes d’essai" description="Toute date à venir et tout cryptogramme conviennent.">
        <ul className="divide-y divide-line">
          {CARDS.map(({ number, what }) => (
            <li key={number} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2 text-body">
              <code className="tabular">{number}</code>
              <span className="text-ink-soft">{what}</span>
            </li>
          ))}
        </ul>
      </Card>
    </main>
  )
}
