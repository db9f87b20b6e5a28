import { useQuery } from '@tanstack/react-query'
import { online } from '@voisol/contract/online'
import type { OnlineCheckout, OnlineMethod, OnlinePayment } from '@voisol/contract/online-views'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, getButtonClass } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate, formatDateTime, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { ONLINE_METHOD_LABELS } from './labels.ts'

type CheckoutProps = { checkout: OnlineCheckout }

const AmountDue = ({ checkout: { invoice } }: CheckoutProps) => (
  <section aria-label="À payer" className="rounded-card border border-amber-200 bg-amber-50 p-6">
    <p className="text-ink-soft">
      Facture <span className="tabular">{invoice.number}</span>, {invoice.seller}
    </p>
    <p className="tabular mt-1 text-[2rem] leading-tight font-semibold tracking-[-0.02em]">
      {formatMoney(invoice.open)}
    </p>
    <p className="mt-1 text-body text-ink-soft">
      À régler au plus tard le {formatDate(invoice.dueOn)}
      {invoice.open < invoice.gross && `. Sur ${formatMoney(invoice.gross)}, le reste est déjà réglé`}.
    </p>
  </section>
)

const RefusalMessage = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="rounded-card border border-danger/30 bg-danger-soft px-4 py-3 text-body text-danger">
    {children}
  </p>
)

/** Leaves for the provider's page: nothing of a card is ever written here. */
function PaymentMethodForm({ checkout, action }: CheckoutProps & { action: string }) {
  const { methods, invoice } = checkout
  const [method, setMethod] = useState<OnlineMethod>(methods[0] ?? 'card')
  const pay = useAction(online.pay, [online.checkout, online.payments])
  const startPayment = async () => {
    const payment = await pay.run({ params: { invoiceId: invoice.id }, body: { method, amount: invoice.open } })
    if (payment.url) location.assign(payment.url)
  }
  return (
    <Card>
      <div className="grid gap-5">
        <RadioGroup
          label="Moyen de paiement"
          value={method}
          onChange={({ target }) => setMethod(target.value === 'debit' ? 'debit' : 'card')}
          options={methods.map((value) => ({ value, ...ONLINE_METHOD_LABELS[value] }))}
        />
        {pay.error && <RefusalMessage>{explainError(pay.error)}</RefusalMessage>}
        <Button
          size="large"
          loading={pay.isPending || pay.isSuccess}
          onClick={() => void startPayment().catch(() => {})}
        >
          {action} {formatMoney(invoice.open)}
        </Button>
        <p className="text-[0.8125rem] text-ink-soft">
          Le paiement se fait sur la page sécurisée du prestataire. Voisol ne voit ni la carte ni le compte.
        </p>
      </div>
    </Card>
  )
}

function PendingPayment({ pending }: { pending: OnlinePayment }) {
  const cancel = useAction(online.cancel, [online.checkout, online.payments])
  if (pending.state === 'processing')
    return (
      <Card title="Un prélèvement est en cours">
        <p>
          {formatMoney(pending.amount)} demandés à votre banque le {formatDateTime(pending.startedAt)}. Sa réponse vient
          sous quelques jours&nbsp;: la facture sera soldée à ce moment, et vous n’avez rien d’autre à faire.
        </p>
      </Card>
    )
  return (
    <Card title="Un paiement est déjà ouvert">
      <div className="grid gap-4">
        <p>
          {ONLINE_METHOD_LABELS[pending.method].label}, {formatMoney(pending.amount)}, commencé le{' '}
          {formatDateTime(pending.startedAt)}.
        </p>
        {cancel.error && <RefusalMessage>{explainError(cancel.error)}</RefusalMessage>}
        {pending.url && (
          <a href={pending.url} className={getButtonClass({ size: 'large' })}>
            Reprendre ce paiement
          </a>
        )}
        <Button
          variant="secondary"
          size="large"
          loading={cancel.isPending}
          onClick={() => void cancel.run({ params: { id: pending.id } }).catch(() => {})}
        >
          L’abandonner et choisir autrement
        </Button>
      </div>
    </Card>
  )
}

function CheckoutNotices({ checkout: { failed, pending, sandbox } }: CheckoutProps) {
  const [search] = useSearchParams()
  return (
    <>
      {search.has('retour') && pending?.state === 'open' && (
        <p role="status" className="rounded-card border border-line bg-page px-4 py-3 text-body">
          Vous êtes revenu sans payer&nbsp;: rien n’a été débité.
        </p>
      )}
      {failed && !pending && (
        <RefusalMessage>
          Votre dernier paiement, le {formatDate(failed.startedAt)}, a été refusé. {failed.reason}
        </RefusalMessage>
      )}
      {sandbox && <SandboxNote />}
    </>
  )
}

function CheckoutBody({ checkout, more, action }: CheckoutProps & { more: ReactNode; action: string }) {
  if (checkout.refusal) return <EmptyState title="Rien à payer ici" why={checkout.refusal} action={more} />
  return (
    <div className="mx-auto grid w-full max-w-xl gap-5 [&>*]:min-w-0">
      <AmountDue checkout={checkout} />
      <CheckoutNotices checkout={checkout} />
      {checkout.pending ? (
        <PendingPayment pending={checkout.pending} />
      ) : (
        <PaymentMethodForm checkout={checkout} action={action} />
      )}
      {more}
    </div>
  )
}

/** What an invoice asks for and the way to pay it, the same for whoever looks at it. */
export function OnlineCheckoutView({
  invoiceId,
  more,
  action = 'Payer',
}: {
  invoiceId: string
  more: ReactNode
  action?: string
}) {
  const checkoutQuery = query(online.checkout, { params: { invoiceId } })
  // Money may have come in meanwhile: what is owed is asked for each time.
  const { data, error, refetch } = useQuery({ ...checkoutQuery, staleTime: 0 })
  if (data) return <CheckoutBody checkout={data} more={more} action={action} />
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        title="Cette facture n’existe pas"
        why="L’adresse est incomplète, ou ce n’est pas votre facture."
        action={more}
      />
    )
  return error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="mx-auto h-96 w-full max-w-xl" />
}

/** Nobody takes a rehearsal for a payment. */
const SandboxNote = () => (
  <p className="rounded-card border border-amber-200 bg-amber-50 px-4 py-3 text-body text-amber-900">
    Bac à sable&nbsp;: aucun argent ne circule. Payez avec la carte d’essai{' '}
    <span className="tabular whitespace-nowrap">4242 4242 4242 4242</span>.
  </p>
)
