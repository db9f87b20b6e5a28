import { type PastDocument, takeovers } from '@voisol/contract/takeovers'
import Download from 'lucide-react/icons/download'
import { Suspense, useState } from 'react'
import { download } from '../../lib/call.ts'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDate, formatEnergy, formatMoney } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { formatMonthYear } from '../../ui/period/label.ts'
import { type Column, Table } from '../../ui/table.tsx'

const ImportPastInvoicesDialog = lazy(() => import('./import-dialog.tsx'))
const formatSignedAmount = ({ kind }: PastDocument, cents: number) =>
  formatMoney(kind === 'creditNote' ? 0 - cents : cents)

const columns: Column<PastDocument>[] = [
  {
    header: 'Document',
    card: 'title',
    cell: ({ number, seller, kind }) => (
      <span className="block min-w-32">
        <span className="block font-medium">{kind === 'creditNote' ? `${number} (avoir)` : number}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{seller.name}</span>
      </span>
    ),
  },
  { header: 'Acheteur', card: 'primary', cell: ({ buyer }) => buyer.name },
  { header: 'Mois', card: 'primary', cell: ({ month }) => formatMonthYear(month) },
  { header: 'Émis le', cell: ({ issuedOn }) => <span className="tabular">{formatDate(issuedOn)}</span> },
  { header: 'Énergie', align: 'end', cell: ({ wh }) => (wh === null ? 'non dite' : formatEnergy(wh)) },
  { header: 'TTC', card: 'primary', align: 'end', cell: (row) => formatSignedAmount(row, row.gross) },
  { header: 'Reste dû', card: 'primary', align: 'end', cell: (row) => formatSignedAmount(row, row.open) },
]

function TemplateButton() {
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<Download aria-hidden="true" />}
      onClick={() =>
        void download(takeovers.template, {}).catch((error: unknown) =>
          toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
        )
      }
    >
      Modèle CSV
    </Button>
  )
}

type Props = { operationId: string; items: PastDocument[] }

/** What others issued, as documents: what is left of each stands on its buyer's account. */
export function PastDocuments({ operationId, items }: Props) {
  const [open, setOpen] = useState(false)
  const can = useCan()
  return (
    <Card
      title="Factures émises ailleurs"
      description={
        'Elles sont gardées telles quelles, jamais émises de nouveau\u00a0; leur reste dû ouvre le compte de chaque acheteur.'
      }
      actions={
        <>
          <TemplateButton />
          {can(takeovers.import) && (
            <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
              Reprendre des factures
            </Button>
          )}
        </>
      }
    >
      {items.length === 0 ? (
        <p className="text-body text-ink-soft">
          Aucune facture n’a été reprise. Un tableau CSV ou XLSX suffit&nbsp;: une ligne par facture, avec son numéro,
          son acheteur, sa date et son montant.
        </p>
      ) : (
        <Table label="Factures émises ailleurs" rows={items} columns={columns} />
      )}
      {open && (
        <Suspense>
          <ImportPastInvoicesDialog operationId={operationId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  )
}
