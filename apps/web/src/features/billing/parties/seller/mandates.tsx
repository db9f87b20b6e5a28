import { MAX_MANDATE_FILE_BYTES, parties } from '@voisol/contract/parties'
import type { BillingMandate, Seller } from '@voisol/contract/sellers'
import Download from 'lucide-react/icons/download'
import { Suspense, useState } from 'react'
import { Badge, type Tone } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { Confirm } from '../../../../components/dialog.tsx'
import { FileDrop } from '../../../../components/file-drop.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { download } from '../../../../lib/call.ts'
import { useCan, withAccess } from '../../../../lib/can.tsx'
import { explainError } from '../../../../lib/error-text.ts'
import { formatDate, formatNumber } from '../../../../lib/format.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { formatMandatePeriod } from '../labels.ts'

const BillingMandateDialog = lazy(() => import('./mandate-form.tsx'))

const STATE_LABELS: Record<BillingMandate['state'], { label: string; tone: Tone }> = {
  held: { label: 'En vigueur', tone: 'success' },
  future: { label: 'À venir', tone: 'info' },
  past: { label: 'Terminé', tone: 'neutral' },
}
const createFailureHandler = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

const MandateFileDrop = withAccess(parties.putMandateFile, ({ mandate: { id } }: { mandate: BillingMandate }) => {
  const put = useAction(parties.putMandateFile, [parties.sellers])
  const uploadFile = (chosenFile: File) =>
    put
      .run({ params: { id }, query: { name: chosenFile.name }, upload: chosenFile })
      .then(() => toast({ title: 'Mandat signé déposé', variant: 'success' }), createFailureHandler('Dépôt impossible'))
  return (
    <FileDrop
      accept=".pdf,.png,.jpg,.jpeg"
      label={put.isPending ? 'Dépôt en cours…' : 'Déposer le mandat signé'}
      hint={`PDF ou image, ${formatNumber(MAX_MANDATE_FILE_BYTES / 1e6)}\u00a0Mo au plus.`}
      disabled={put.isPending}
      onFile={uploadFile}
    />
  )
})

const RemoveMandate = withAccess(parties.removeMandate, ({ mandate }: { mandate: BillingMandate }) => {
  const remove = useAction(parties.removeMandate, [parties.sellers])
  return (
    <Confirm
      title="Retirer ce mandat&nbsp;?"
      description={`Celui ${formatMandatePeriod(mandate)} et son fichier signé seront effacés. Un mandat qui a servi est conservé.`}
      action="Retirer le mandat"
      onConfirm={() => remove.run({ params: { id: mandate.id } })}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Retirer le mandat ${formatMandatePeriod(mandate)}`}>
          Retirer
        </Button>
      }
    />
  )
})

function SignedFileButton({ mandate: { id, file } }: { mandate: BillingMandate }) {
  const downloadFile = () =>
    download(parties.mandateFile, { params: { id } }).catch(createFailureHandler('Téléchargement impossible'))
  if (!file) return <p className="text-[0.8125rem] text-warning">Le fichier signé manque.</p>
  return (
    <Button
      variant="quiet"
      size="small"
      className="-ml-3 justify-self-start"
      icon={<Download aria-hidden="true" />}
      onClick={downloadFile}
    >
      {file.name}
    </Button>
  )
}

type EditedMandate = { mandate?: BillingMandate }

function MandateRow({ mandate, onEdit }: { mandate: BillingMandate; onEdit: () => void }) {
  const can = useCan()
  const days = formatMandatePeriod(mandate)
  return (
    <li className="grid gap-2 py-3 text-body first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <span className="min-w-0">
          <span className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
            {days.charAt(0).toUpperCase() + days.slice(1)}
            <Badge tone={STATE_LABELS[mandate.state].tone}>{STATE_LABELS[mandate.state].label}</Badge>
          </span>
          <span className="tabular block text-[0.8125rem] text-ink-soft">
            Signé le {formatDate(mandate.signedOn)}
            {mandate.collects && ' · couvre l’encaissement'}
          </span>
        </span>
        {can(parties.updateMandate) && (
          <span className="flex flex-wrap gap-1">
            <RemoveMandate mandate={mandate} />
            <Button variant="secondary" size="small" aria-label={`Modifier le mandat ${days}`} onClick={onEdit}>
              Modifier
            </Button>
          </span>
        )}
      </div>
      <SignedFileButton mandate={mandate} />
      {!mandate.file && <MandateFileDrop mandate={mandate} />}
    </li>
  )
}

/** The mandates of a producer, the newest first. */
export function MandateCard({ seller }: { seller: Seller }) {
  const [edited, setEdited] = useState<EditedMandate>()
  const can = useCan()
  return (
    <Card
      title="Mandats de facturation"
      description="Il couvre le jour où une facture est émise."
      actions={
        can(parties.addMandate) && (
          <Button variant="secondary" size="small" onClick={() => setEdited({})}>
            Enregistrer un mandat
          </Button>
        )
      }
    >
      {seller.mandates.length ? (
        <ul className="divide-y divide-line">
          {seller.mandates.toReversed().map((mandate) => (
            <MandateRow key={mandate.id} mandate={mandate} onEdit={() => setEdited({ mandate })} />
          ))}
        </ul>
      ) : (
        <p className="text-body text-ink-soft">Aucun mandat&nbsp;: rien ne peut être émis en son nom.</p>
      )}
      <Suspense fallback={null}>
        {edited && <BillingMandateDialog sellerId={seller.id} {...edited} onClose={() => setEdited(undefined)} />}
      </Suspense>
    </Card>
  )
}
