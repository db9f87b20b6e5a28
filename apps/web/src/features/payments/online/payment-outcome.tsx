import { useQuery } from '@tanstack/react-query'
import { online } from '@voisol/contract/online'
import type { OnlinePayment, OnlineState } from '@voisol/contract/online-views'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton, Spinner } from '../../../components/loading.tsx'
import { formatMoney } from '../../../lib/format.ts'
import { query, queryClient } from '../../../lib/queries.ts'

const POLL_MS = 1500
const SLOW_CONFIRMATION_MS = 60_000

type OutcomeText = { title: string; text: (payment: OnlinePayment) => string }
const OUTCOME_TEXTS: Record<OnlineState, OutcomeText> = {
  open: {
    title: 'Nous attendons la confirmation',
    text: () =>
      'Le prestataire de paiement nous la donne d’ordinaire en quelques secondes. Cette page se met à jour toute seule.',
  },
  paid: {
    title: 'Paiement reçu',
    text: ({ amount, invoice }) => `${formatMoney(amount)} pour la facture ${invoice.number}. Merci.`,
  },
  processing: {
    title: 'Prélèvement demandé',
    text: ({ amount }) =>
      `${formatMoney(amount)} ont été demandés à votre banque, qui répond sous quelques jours. La facture sera soldée à ce moment, et vous serez prévenu.`,
  },
  failed: {
    title: 'Paiement refusé',
    text: ({ reason }) => `${reason} Rien n’a été débité. Vous pouvez essayer un autre moyen.`.trim(),
  },
  expired: { title: 'Paiement abandonné', text: () => 'Rien n’a été débité.' },
  partly: { title: 'Remboursé en partie', text: ({ net }) => `Il reste ${formatMoney(net)} de ce paiement.` },
  refunded: { title: 'Paiement remboursé', text: ({ amount }) => `${formatMoney(amount)} vous ont été rendus.` },
  disputed: {
    title: 'Paiement contesté',
    text: () => 'Votre banque a repris cette somme\u00a0: la facture est de nouveau à payer.',
  },
}
const SLOW_CONFIRMATION_TEXT =
  'La confirmation tarde. Vous pouvez fermer cette page\u00a0: dès qu’elle arrive, votre facture est soldée. Ne payez pas une seconde fois.'

type Props = {
  after: (payment: OnlinePayment) => ReactNode
  /** The way out where there is no payment to follow. */
  back: ReactNode
}

/** The message of the provider decides: this page asks until it came, and says so meanwhile. */
export function PaymentOutcome({ after, back }: Props) {
  const [search] = useSearchParams()
  const id = search.get('paiement') ?? ''
  const [isSlow, setIsSlow] = useState(false)
  const { data, error, refetch } = useQuery({
    ...query(online.payment, { params: { id } }),
    enabled: id !== '',
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? POLL_MS : false),
  })
  const isPending = data?.state === 'open'
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (data && !isPending) void queryClient.invalidateQueries({ queryKey: ['/api/invoices'] })
  }, [data, isPending])
  if (!id)
    return (
      <>
        <h1 className="sr-only">Suivi du paiement</h1>
        <EmptyState
          title="Aucun paiement à suivre"
          why="Cette page s’ouvre au retour d’un paiement en ligne."
          action={back}
        />
      </>
    )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="mx-auto h-64 w-full max-w-xl" />
  const { title, text } = OUTCOME_TEXTS[data.state]
  return (
    <section
      aria-live="polite"
      className="mx-auto grid w-full max-w-xl justify-items-center gap-3 rounded-card border border-line bg-card p-8 text-center"
    >
      {isPending && <Spinner className="size-8" />}
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="prose-width">{isPending && isSlow ? SLOW_CONFIRMATION_TEXT : text(data)}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">{after(data)}</div>
    </section>
  )
}
