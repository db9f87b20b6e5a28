import { useQuery } from '@tanstack/react-query'
import { bank } from '@voisol/contract/bank'
import type { BankAccount } from '@voisol/contract/bank-accounts'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { type Column, emptyCell, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const AddAccountDialog = lazy(() =>
  import('./account-form.tsx').then(({ AddAccountDialog: shown }) => ({ default: shown })),
)
const EditAccountDialog = lazy(() =>
  import('./account-form.tsx').then(({ EditAccountDialog: shown }) => ({ default: shown })),
)

const AddButton = withAccess(bank.addAccount, ({ label = 'Ajouter un compte' }: { label?: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense fallback={null}>{open && <AddAccountDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

const EditButton = withAccess(bank.updateAccount, ({ account }: { account: BankAccount }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        aria-label={`Modifier le compte ${account.name}`}
        onClick={() => setOpen(true)}
      >
        Modifier
      </Button>
      <Suspense fallback={null}>
        {open && <EditAccountDialog account={account} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

const columns: Column<BankAccount>[] = [
  {
    header: 'Compte',
    card: 'title',
    cell: ({ name, owner }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{owner}</span>
      </span>
    ),
  },
  {
    header: 'IBAN',
    card: 'primary',
    cell: ({ ibanEnd, kind }) =>
      kind === 'online' ? (
        <span className="text-ink-soft">Paiement en ligne</span>
      ) : (
        <span className="tabular whitespace-nowrap">•••• {ibanEnd}</span>
      ),
  },
  {
    header: 'ICS',
    card: 'primary',
    cell: ({ ics }) =>
      ics ? <span className="tabular">{ics}</span> : <span className="text-ink-muted">Sans prélèvement</span>,
  },
  {
    header: 'Format',
    cell: ({ painVersion, kind }) =>
      kind === 'online' ? emptyCell : <span className="tabular whitespace-nowrap">pain.008.001.{painVersion}</span>,
  },
  {
    header: 'Relevés jusqu’au',
    card: 'primary',
    cell: ({ until, kind }) =>
      kind === 'online' ? emptyCell : until ? formatDate(until) : <span className="text-ink-muted">Aucun relevé</span>,
  },
  {
    header: 'À rapprocher',
    card: 'primary',
    // Where no statement ever came, nothing is known to be settled.
    cell: ({ open, until }) =>
      open > 0 ? (
        <Badge tone="warning">{formatCount(open, 'mouvement')}</Badge>
      ) : until ? (
        <Badge tone="success">À jour</Badge>
      ) : (
        emptyCell
      ),
  },
]

/** Where money comes in, whose it is, and what each bank takes. */
export default function BankAccounts() {
  const { data, error, refetch } = useQuery(query(bank.accounts, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <section aria-labelledby="bank-accounts" className="grid gap-3 [&>*]:min-w-0">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="bank-accounts" className="text-base font-semibold tracking-[-0.01em]">
            Comptes bancaires
          </h2>
          <p className="prose-width text-body text-ink-soft">
            Le compte de chaque vendeur, avec l’identifiant créancier (ICS) sous lequel il prélève et le format que sa
            banque accepte.
          </p>
        </div>
        <AddButton />
      </header>
      {!data ? (
        <TableSkeleton label="Comptes bancaires" />
      ) : data.items.length > 0 ? (
        <Table
          label="Comptes bancaires"
          rows={data.items}
          columns={columns}
          rowActions={(account) => (account.kind === 'bank' ? <EditButton account={account} /> : null)}
        />
      ) : (
        <EmptyState
          title="Aucun compte bancaire"
          why="Ajoutez le compte sur lequel vos factures sont payées&#160;: ses relevés et ses prélèvements s’y rattachent."
          action={<AddButton label="Ajouter un premier compte" />}
        />
      )}
    </section>
  )
}
