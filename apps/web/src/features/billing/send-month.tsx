import { billing, type MonthCheck } from '@voisol/contract/billing'
import { monthName } from '../../lib/billing-labels.ts'
import { plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import type { Place } from './preview.tsx'

const LINK = { to: '/invoices', label: 'Voir les factures' }

/** Sends what has reached nobody yet. Whoever buys from several sellers gets one message, with its avis d’échéance. */
export function SendMonth({ params, check }: { params: Place; check: MonthCheck }) {
  const send = useAction(billing.send, [billing.check])
  const left = check.unsent ?? 0
  const run = async () => {
    const { sent, failed } = await send.run({ params })
    const title = plural(sent, 'document envoyé', 'documents envoyés')
    if (failed)
      toast({
        title,
        description: `${plural(failed, 'document n’a pas pu partir', 'documents n’ont pas pu partir')}\u00a0: sa fiche dit pourquoi.`,
        link: LINK,
      })
    else toast({ title, variant: 'success', link: LINK })
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
        title={`Envoyer les documents de ${monthName(params.month)}\u00a0?`}
        description={`${plural(left, 'document part', 'documents partent')} vers ${left > 1 ? 'leurs acheteurs' : 'son acheteur'}. Ce qui est déjà parti ne part pas deux fois.`}
        action="Envoyer"
        tone="primary"
        onConfirm={run}
        trigger={<Button>Envoyer {plural(left, 'document')}</Button>}
      />
    </Card>
  )
}
