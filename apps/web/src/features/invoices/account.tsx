import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { query, useList } from '../../lib/queries.ts'
import { useOpenName } from '../../lib/subject.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { AgeingTiles } from './ageing.tsx'
import { accountInvoiceColumns } from './columns.tsx'
import { WithheldCents } from './held.tsx'
import { AccountMovements } from './movements.tsx'
import { AnnualSummary } from './year.tsx'

/** One buyer: what was issued, what is left, and each year in sum. */
export function BuyerAccountView({ buyerId }: { buyerId: string }) {
  const list = useList(invoices.list, { buyerId })
  const { data } = useQuery(query(invoices.accounts, { query: {} }))
  const name = data?.items.find(({ buyer }) => buyer.id === buyerId)?.buyer.name ?? list.items[0]?.buyer.name
  useOpenName(name, 'Compte', `/participant-billing?participant=${buyerId}`)
  return (
    <>
      <PageHeader
        title={name ?? 'Compte'}
        description="Le compte de cet acheteur, tous vendeurs ensemble."
        actions={
          <ButtonLink to="/participant-billing" variant="secondary">
            Tous les comptes
          </ButtonLink>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        {list.data && list.data.totals.documents > 0 && <AgeingTiles totals={list.data.totals} />}
        <ListScreen
          list={list}
          label="Documents"
          columns={accountInvoiceColumns}
          empty={
            <EmptyState
              title="Aucun document"
              why="Rien n’a encore été facturé à cet acheteur."
              action={
                <ButtonLink variant="secondary" to="/billing">
                  Ouvrir la clôture du mois
                </ButtonLink>
              }
            />
          }
        />
        {list.total > 0 && <AccountMovements buyerId={buyerId} />}
        <WithheldCents buyerId={buyerId} />
        {list.total > 0 && <AnnualSummary buyerId={buyerId} />}
      </div>
    </>
  )
}
