import type { BookEntryView } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { formatMoney } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { EntryComments } from './thread.tsx'

const DoubtDialog = lazy(() => import('./doubt-dialog.tsx'))

type EntryLine = BookEntryView['lines'][number] & { id: string }
const formatAmount = (cents: number) => (cents === 0 ? '' : formatMoney(cents))
const columns: Column<EntryLine>[] = [
  { header: 'Compte', card: 'title', cell: ({ account }) => <span className="tabular font-medium">{account}</span> },
  {
    header: 'Intitulé',
    card: 'secondary',
    cell: ({ accountLabel, auxLabel }) => (auxLabel ? `${accountLabel}, ${auxLabel}` : accountLabel),
  },
  { header: 'Débit', card: 'primary', align: 'end', cell: ({ debit }) => formatAmount(debit) },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => formatAmount(credit) },
  { header: 'Lettrage', card: 'primary', cell: ({ letter }) => letter || '–' },
]

type Props = { sellerId: string; entry: BookEntryView }
const DeclareDoubtButton = withAccess(
  books.addDoubt,
  ({ sellerId, invoiceId }: { sellerId: string; invoiceId: string }) => {
    const [open, setOpen] = useState(false)
    return (
      <>
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          Déclarer la créance douteuse
        </Button>
        <Suspense fallback={null}>
          {open && <DoubtDialog sellerId={sellerId} invoiceId={invoiceId} onClose={() => setOpen(false)} />}
        </Suspense>
      </>
    )
  },
)

/** The lines of an entry, the document behind it, and what was asked and answered about it. */
export const BookEntryPanel = ({ sellerId, entry }: Props) => (
  <div className="grid max-w-4xl gap-4 [&>*]:min-w-0">
    <Table
      label={`Lignes de ${entry.label}`}
      rows={entry.lines.map((line, at) => ({ ...line, id: String(at) }))}
      columns={columns}
    />
    {entry.invoiceId && (
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={`/invoice/${entry.invoiceId}`} variant="secondary" size="small">
          Ouvrir le document
        </ButtonLink>
        {entry.journal === 'sales' && <DeclareDoubtButton sellerId={sellerId} invoiceId={entry.invoiceId} />}
      </div>
    )}
    <EntryComments sellerId={sellerId} source={entry.id} />
  </div>
)
