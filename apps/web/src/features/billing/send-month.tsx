import { billing, type MonthCheck } from '@voisol/contract/billing'
import { formatBillingMonth } from '../../lib/billing-labels.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import type { OperationMonth } from './preview.tsx'

const INVOICES_LINK = { to: '/invoices', label: 'Voir les factures' }

/** Sends what has reached nobody yet. Whoever buys from several sellers gets one message, with its avis d’échéance. */
export function SendMonth({ params, check }: { params: OperationMonth; check: MonthCheck }) {
  const send = useAction(billing.send, [billing.check])
  const left = check.unsent ?? 0
  const run = async () => {
    const { sent, failed } = await send.run({ params })
    const title = formatCount(sent, 'document envoyé', 'documents envoyés')
    if (failed)
      toast({
        title,
        description: `${formatCount(failed, 'document n’a pas pu partir', 'documents n’ont pas pu partir')}\u00a0: sa fiche dit pourquoi.`,
        link: INVOICES_LINK,
      })
    else toast({ title, variant: 'success', link: INVOICES_LINK })
  }
  if (left === 0)
    return (
      <Card
        title="Envoyés"
        actions={
          <ButtonLink to={`/invoices?month=${params.month}-01`} variant="secondary" size="small">
            Voir les documents
          </ButtonLink>
        }
      >
        <p className="text-body">Tous les documents de ce mois sont partis vers leurs acheteurs.</p>
      </Card>
    )
  return (
    <Card
      title="Envoyer"
      description={
        'Chaque acheteur reçoit ses documents comme il l’a demandé\u00a0: par e-mail, dans son espace ou sur Chorus Pro. Qui achète à plusieurs vendeurs reçoit un seul message, avec un avis d’échéance.'
      }
    >
      <Confirm
        title={`Envoyer les documents de ${formatBillingMonth(params.month)}\u00a0?`}
        description={`${formatCount(left, 'document part', 'documents partent')} vers ${left > 1 ? 'leurs acheteurs' : 'son acheteur'}. Ce qui est déjà parti ne part pas deux fois.`}
        action="Envoyer"
        tone="primary"
        onConfirm={run}
        trigger={<Button>Envoyer {formatCount(left, 'document')}</Button>}
      />
    </Card>
  )
}
