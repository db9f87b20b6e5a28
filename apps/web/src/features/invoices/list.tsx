import { invoices } from '@voisol/contract/invoices'
import { useList } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { AgeingTiles } from './ageing.tsx'
import { invoiceColumns } from './columns.tsx'
import { DownloadButton } from './download-button.tsx'
import { InvoiceFilters } from './filters.tsx'

const emptyState = (
  <EmptyState
    title="Aucune facture"
    why="Les factures naissent de la clôture d’un mois&nbsp;: les quantités sont figées, puis chaque document reçoit son numéro."
    action={<ButtonLink to="/billing">Ouvrir la clôture du mois</ButtonLink>}
  />
)

export default function InvoiceList() {
  const list = useList(invoices.list)
  const { page: _page, size: _size, sort: _sort, ...archiveQuery } = list.filters
  return (
    <>
      <PageHeader
        title="Factures"
        description="Tout ce qui a été émis, ce qui reste dû, et depuis quand."
        actions={
          <ButtonLink to="/participant-billing" variant="secondary">
            Comptes des acheteurs
          </ButtonLink>
        }
      />
      <div className="grid gap-4 [&>*]:min-w-0">
        {list.data && list.data.totals.documents > 0 && <AgeingTiles totals={list.data.totals} />}
        <ListScreen
          list={list}
          label="Factures"
          search="Rechercher un numéro ou un nom"
          columns={invoiceColumns}
          filters={<InvoiceFilters filters={list.filters} setFilters={list.setFilters} />}
          exports={
            list.total > 0 && (
              <DownloadButton endpoint={invoices.archive} input={{ query: archiveQuery }}>
                Télécharger les PDF
              </DownloadButton>
            )
          }
          empty={emptyState}
        />
      </div>
    </>
  )
}
