import { useQuery } from '@tanstack/react-query'
import { bank } from '@voisol/contract/bank'
import { type DebitPlan, debits } from '@voisol/contract/debits'
import { useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatLongDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type ExcludedMandates = ReadonlySet<string>
/** What is still being typed is no day yet. */
const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/

function PlannedDebits({
  plan,
  except,
  onToggle,
}: {
  plan: DebitPlan
  except: ExcludedMandates
  onToggle: (id: string) => void
}) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {plan.items.map(({ mandateId, participant, amount, invoices, ibanEnd, retry }) => (
        <li key={mandateId} className="flex items-center justify-between gap-3 px-3 py-1.5">
          <Checkbox
            label={participant}
            hint={`${invoices.map(({ number }) => number).join(', ')} — compte •• ${ibanEnd}${retry ? ', seconde présentation' : ''}`}
            checked={!except.has(mandateId)}
            onChange={() => onToggle(mandateId)}
          />
          <strong className="tabular whitespace-nowrap">{formatMoney(amount)}</strong>
        </li>
      ))}
      {!plan.items.length && <li className="px-3 py-6 text-center text-ink-soft">Rien n’est à prélever.</li>}
    </ul>
  )
}

function SkippedInvoices({ plan }: { plan: DebitPlan }) {
  if (!plan.left.length) return null
  return (
    <details className="text-body">
      <summary className="cursor-pointer text-ink-soft">
        {formatCount(plan.left.length, 'facture laissée', 'factures laissées')}
      </summary>
      <ul className="mt-2 divide-y divide-line rounded-card border border-line">
        {plan.left.map(({ invoiceId, number, participant, open, reason }) => (
          <li key={invoiceId} className="grid gap-x-3 px-3 py-1.5 sm:grid-cols-[1fr_auto]">
            <span>
              <span className="font-medium">{number}</span> {participant}
              <span className="block text-[0.8125rem] text-ink-soft">{reason}</span>
            </span>
            <span className="tabular whitespace-nowrap">{formatMoney(open)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The day that is proposed, or another: what a day cannot be is said beside it. */
function CollectionDay({ plan, asked, onAsk }: { plan: DebitPlan; asked: string; onAsk: (day: string) => void }) {
  const id = useId()
  return (
    <FieldFrame
      id={id}
      label="Jour du débit"
      hint={`Au plus tôt le ${formatDate(plan.earliest)}\u00a0: chacun est prévenu avant. Les banques sont fermées le week-end et certains jours fériés.`}
    >
      <DateInput
        id={id}
        className="max-w-56"
        aria-describedby={`${id}-hint`}
        value={asked || plan.collectionOn}
        onValue={onAsk}
      />
    </FieldFrame>
  )
}

function DebitPlanForm({ accountId, onDone }: { accountId: string; onDone: (id: string) => void }) {
  const [requestedDay, setAsked] = useState('')
  const first = useQuery({ ...query(debits.plan, { query: { accountId } }), staleTime: 0 })
  const other = useQuery({
    ...query(debits.plan, { query: { accountId, collectionOn: requestedDay } }),
    staleTime: 0,
    enabled: DAY_PATTERN.test(requestedDay),
  })
  const { error, refetch } = first
  const plan = (requestedDay && other.data) || first.data
  const refusal = requestedDay && other.error ? explainError(other.error) : ''
  const announce = useAction(debits.announce, [debits.list, debits.plan])
  const [except, setExcept] = useState<ExcludedMandates>(new Set())
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!plan) return <Skeleton className="h-64 w-full" />
  const includedDebits = plan.items.filter(({ mandateId }) => !except.has(mandateId))
  const total = includedDebits.reduce((sum, { amount }) => sum + amount, 0)
  const toggle = (id: string) =>
    setExcept((old) => {
      const next = new Set(old)
      if (!next.delete(id)) next.add(id)
      return next
    })
  const announceDebits = () =>
    announce
      .run({ body: { accountId, collectionOn: plan.collectionOn, except: [...except] } })
      .then(({ id }) => onDone(id))
      .catch((failure: unknown) =>
        toast({ title: 'Rien n’est annoncé', description: explainError(failure), variant: 'destructive' }),
      )
  return (
    <div className="grid gap-3">
      <CollectionDay plan={plan} asked={requestedDay} onAsk={setAsked} />
      {refusal && (
        <p role="alert" className="text-body text-danger">
          {refusal}
        </p>
      )}
      <p className="text-body">
        Débit le <strong>{formatLongDate(plan.collectionOn)}</strong>&#160;; fichier à la banque au plus tard le{' '}
        {formatDate(plan.submitBy)}.
      </p>
      <PlannedDebits plan={plan} except={except} onToggle={toggle} />
      <SkippedInvoices plan={plan} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-body">
          {formatCount(includedDebits.length, 'débit')}, <strong className="tabular">{formatMoney(total)}</strong>
        </p>
        <Button
          disabled={!includedDebits.length || refusal !== '' || (requestedDay !== '' && !other.data)}
          loading={announce.isPending}
          onClick={announceDebits}
        >
          Annoncer à chacun par e-mail
        </Button>
      </div>
    </div>
  )
}

type AnnounceDebitsProps = { onClose: () => void; onDone: (id: string) => void }
/** What would be debited, when, and why the rest is not; then each one is told. */
export default function AnnounceDebitsDialog({ onClose, onDone }: AnnounceDebitsProps) {
  const { data, error, refetch } = useQuery(query(bank.accounts, {}))
  const accounts = data?.items.filter(({ ics }) => ics) ?? []
  const [chosen, setChosen] = useState('')
  const accountId = chosen || accounts[0]?.id
  return (
    <Dialog title="Préparer un prélèvement" width="wide" open onOpenChange={onClose}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-64 w-full" />
      ) : !accountId ? (
        <p className="text-body">
          Aucun compte n’a d’identifiant créancier (ICS)&#160;: enregistrez-le dans «&#160;Tarifs et réglages&#160;»,
          rubrique «&#160;Comptes bancaires&#160;».
        </p>
      ) : (
        <div className="grid gap-3">
          {accounts.length > 1 && (
            <Select
              aria-label="Compte crédité"
              value={accountId}
              options={accounts.map(({ id, owner, name }) => ({ value: id, label: `${owner}, ${name}` }))}
              onChange={(event) => setChosen(event.target.value)}
            />
          )}
          <DebitPlanForm key={accountId} accountId={accountId} onDone={onDone} />
        </div>
      )}
    </Dialog>
  )
}
