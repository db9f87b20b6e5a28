import { useQuery } from '@tanstack/react-query'
import { type DueAccount, REMINDER_LEVEL_LABELS, reminders } from '@voisol/contract/reminders'
import { Suspense, useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const HoldDialog = lazy(() => import('./hold-dialog.tsx'))
type Props = { account: DueAccount }

/** The letter as it would leave, before anything leaves. */
function ReminderPreviewDialog({ account, onClose }: Props & { onClose: () => void }) {
  const { seller, buyer } = account
  const { data, error } = useQuery({
    ...query(reminders.preview, { query: { sellerId: seller.id, buyerId: buyer.id } }),
    staleTime: 0,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${REMINDER_LEVEL_LABELS[account.level ?? 1]} à ${buyer.name}`}
      description="Le texte exact qui partirait ; il se règle dans Tarifs et réglages, Réglages légaux."
    >
      {error ? (
        <p className="text-danger">{explainError(error)}</p>
      ) : data ? (
        <article className="rounded-card border border-line bg-page p-5 text-body whitespace-pre-line">
          {data.text}
        </article>
      ) : (
        <Skeleton className="h-48 w-full" />
      )}
    </Dialog>
  )
}

function ClaimFeesButton({ account: { seller, buyer, fees } }: Props) {
  const claim = useAction(reminders.claim, [reminders.due])
  if (!fees || fees.indemnity + fees.interest === 0) return null
  return (
    <Confirm
      tone="primary"
      title={`Réclamer les frais de retard à ${buyer.name}`}
      description={`${formatMoney(fees.indemnity)} d’indemnité de recouvrement et ${formatMoney(fees.interest)} de pénalités sont ajoutés à son compte.`}
      action="Réclamer ces frais"
      trigger={
        <Button variant="quiet" size="small">
          Frais de retard
        </Button>
      }
      onConfirm={async () => {
        const done = await claim.run({ body: { sellerId: seller.id, buyerId: buyer.id } })
        toast({ title: `${formatMoney(done.indemnity + done.interest)} réclamés`, variant: 'success' })
      }}
    />
  )
}

export function DueAccountActions({ account }: Props) {
  const [open, setOpen] = useState<'preview' | 'hold' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      {account.level && (
        <Button variant="quiet" size="small" onClick={() => setOpen('preview')}>
          Lire
        </Button>
      )}
      <Can call={reminders.hold}>
        <Button variant="quiet" size="small" onClick={() => setOpen('hold')}>
          Suspendre
        </Button>
      </Can>
      <Can call={reminders.claim}>
        <ClaimFeesButton account={account} />
      </Can>
      {open === 'preview' && <ReminderPreviewDialog account={account} onClose={close} />}
      {open === 'hold' && (
        <Suspense fallback={null}>
          <HoldDialog account={account} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
