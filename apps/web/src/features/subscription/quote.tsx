import { useQuery } from '@tanstack/react-query'
import { type OpenPlan, PLANS, type PlanPeriod } from '@voisol/contract/plan-prices'
import { type PlanQuote, type Subscription, subscription } from '@voisol/contract/subscription'
import { usage } from '@voisol/contract/usage'
import { explain } from '../../lib/explain.ts'
import { date, money, plural } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type Wanted = { plan: OpenPlan; period: PlanPeriod }

const Sum = ({ label, cents, strong = false }: { label: string; cents: number; strong?: boolean }) => (
  <div className={strong ? 'flex justify-between gap-4 font-semibold' : 'flex justify-between gap-4'}>
    <dt>{label}</dt>
    <dd className="tabular whitespace-nowrap">{money(cents)}</dd>
  </div>
)

/** The lines of the invoice to come, as it will print them. */
const Lines = ({ quote }: { quote: PlanQuote }) => (
  <>
    <ul className="divide-y divide-line border-line border-y text-body">
      {quote.lines.map(({ label, from, to, net }) => (
        <li key={`${label} ${from}`} className="flex justify-between gap-4 py-2.5">
          <span>
            {label}
            <span className="block text-[0.8125rem] text-ink-soft">{`du ${date(from)} au ${date(to)} exclu`}</span>
          </span>
          <span className="tabular whitespace-nowrap">{money(net)}</span>
        </li>
      ))}
    </ul>
    <dl className="mt-3 ml-auto grid max-w-64 gap-1 text-body">
      <Sum label="Total HT" cents={quote.net} />
      <Sum label="TVA" cents={quote.tax} />
      <Sum label="Total TTC" cents={quote.gross} strong />
    </dl>
  </>
)

function when({ now, on, tooMany }: PlanQuote, { plan }: Wanted) {
  const { name, points } = PLANS[plan]
  if (tooMany > 0 && now)
    return `${name} comprend ${points} points\u00a0: ${plural(tooMany, 'point utilisé est', 'points utilisés sont')} de trop. Faites-les d’abord sortir.`
  if (now) return 'Le changement vaut aujourd’hui\u00a0; la facture est émise à la confirmation.'
  const must =
    tooMany > 0
      ? ` D’ici là, ${plural(tooMany, 'point doit', 'points doivent')} sortir\u00a0; sinon votre formule sera reconduite.`
      : ''
  return `Le changement vaudra le ${date(on)}, à la fin de ce qui est payé. Rien n’est facturé aujourd’hui.${must}`
}

/** What a choice costs, shown by the function that bills it, then confirmed. */
export function QuoteDialog({
  wanted,
  version,
  onClose,
}: {
  wanted: Wanted
  version: Subscription['version']
  onClose: () => void
}) {
  const {
    data: quote,
    error,
    refetch,
  } = useQuery({ ...query(subscription.quote, { query: wanted }), staleTime: 0, gcTime: 0 })
  const choose = useAction(subscription.choose, [subscription.get, subscription.invoices, usage.get])
  const confirm = async () => {
    if (!quote) return
    try {
      await choose.run({ body: { ...wanted, net: quote.net, version } })
      await refreshUser()
      toast({
        title: quote.now ? `Formule ${PLANS[wanted.plan].name} en cours` : 'Changement prévu',
        variant: 'success',
      })
      onClose()
    } catch (failed) {
      toast({ title: 'Formule inchangée', description: explain(failed), variant: 'destructive' })
      await refetch()
    }
  }
  const blocked = quote?.now && quote.tooMany > 0
  return (
    <Dialog
      title={`Passer à ${PLANS[wanted.plan].name}`}
      {...(quote && { description: when(quote, wanted) })}
      open
      onOpenChange={(open) => open || onClose()}
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Annuler</Button>
          </DialogClose>
          {quote && !blocked && (
            <Button loading={choose.isPending} onClick={confirm}>
              {quote.now ? `Confirmer et recevoir la facture de ${money(quote.gross)}` : 'Prévoir ce changement'}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : quote ? (
        <Lines quote={quote} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  )
}
