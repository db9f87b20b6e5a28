import { useQuery } from '@tanstack/react-query'
import { type OpenPlan, PLANS, type PlanPeriod } from '@voisol/contract/plan-prices'
import { type PlanQuote, type Subscription, subscription } from '@voisol/contract/subscription'
import { usage } from '@voisol/contract/usage'
import { explainError } from '../../lib/explain.ts'
import { formatCount, formatDate, formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type PlanChoice = { plan: OpenPlan; period: PlanPeriod }

const TotalRow = ({ label, cents, strong = false }: { label: string; cents: number; strong?: boolean }) => (
  <div className={strong ? 'flex justify-between gap-4 font-semibold' : 'flex justify-between gap-4'}>
    <dt>{label}</dt>
    <dd className="tabular whitespace-nowrap">{formatMoney(cents)}</dd>
  </div>
)

/** The lines of the invoice to come, as it will print them. */
const QuoteLines = ({ quote }: { quote: PlanQuote }) => (
  <>
    <ul className="divide-y divide-line border-line border-y text-body">
      {quote.lines.map(({ label, from, to, net }) => (
        <li key={`${label} ${from}`} className="flex justify-between gap-4 py-2.5">
          <span>
            {label}
            <span className="block text-[0.8125rem] text-ink-soft">{`du ${formatDate(from)} au ${formatDate(to)} exclu`}</span>
          </span>
          <span className="tabular whitespace-nowrap">{formatMoney(net)}</span>
        </li>
      ))}
    </ul>
    <dl className="mt-3 ml-auto grid max-w-64 gap-1 text-body">
      <TotalRow label="Total HT" cents={quote.net} />
      <TotalRow label="TVA" cents={quote.tax} />
      <TotalRow label="Total TTC" cents={quote.gross} strong />
    </dl>
  </>
)

function describeTiming({ now, on, tooMany }: PlanQuote, { plan }: PlanChoice) {
  const { name, points } = PLANS[plan]
  if (tooMany > 0 && now)
    return `${name} comprend ${points} points\u00a0: ${formatCount(tooMany, 'point utilisé est', 'points utilisés sont')} de trop. Faites-les d’abord sortir.`
  if (now) return 'Le changement vaut aujourd’hui\u00a0; la facture est émise à la confirmation.'
  const warning =
    tooMany > 0
      ? ` D’ici là, ${formatCount(tooMany, 'point doit', 'points doivent')} sortir\u00a0; sinon votre formule sera reconduite.`
      : ''
  return `Le changement vaudra le ${formatDate(on)}, à la fin de ce qui est payé. Rien n’est facturé aujourd’hui.${warning}`
}

/** What a choice costs, shown by the function that bills it, then confirmed. */
export function PlanQuoteDialog({
  wanted: choice,
  version,
  onClose,
}: {
  wanted: PlanChoice
  version: Subscription['version']
  onClose: () => void
}) {
  const {
    data: quote,
    error,
    refetch,
  } = useQuery({ ...query(subscription.quote, { query: choice }), staleTime: 0, gcTime: 0 })
  const choose = useAction(subscription.choose, [subscription.get, subscription.invoices, usage.get])
  const confirm = async () => {
    if (!quote) return
    try {
      await choose.run({ body: { ...choice, net: quote.net, version } })
      await refreshUser()
      toast({
        title: quote.now ? `Formule ${PLANS[choice.plan].name} en cours` : 'Changement prévu',
        variant: 'success',
      })
      onClose()
    } catch (failed) {
      toast({ title: 'Formule inchangée', description: explainError(failed), variant: 'destructive' })
      await refetch()
    }
  }
  const blocked = quote?.now && quote.tooMany > 0
  return (
    <Dialog
      title={`Passer à ${PLANS[choice.plan].name}`}
      {...(quote && { description: describeTiming(quote, choice) })}
      open
      onOpenChange={(open) => open || onClose()}
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Annuler</Button>
          </DialogClose>
          {quote && !blocked && (
            <Button loading={choose.isPending} onClick={confirm}>
              {quote.now ? `Confirmer et recevoir la facture de ${formatMoney(quote.gross)}` : 'Prévoir ce changement'}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : quote ? (
        <QuoteLines quote={quote} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  )
}
