import { useQuery } from '@tanstack/react-query'
import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { formatMandatePeriod, formatVatMode } from './labels.ts'

const SellerDetail = lazy(() => import('./seller/seller-drawer.tsx'))
const AddSellerDialog = lazy(() => import('./seller/add.tsx'))
const TermList = lazy(() => import('./terms.tsx'))

const AddSellerButton = withAccess(parties.addSeller, ({ label = 'Ajouter un vendeur' }: { label?: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Suspense fallback={null}>{open && <AddSellerDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

function SellerName({ seller: { id, name, participantId } }: { seller: Seller }) {
  const [search] = useSearchParams()
  const to = new URLSearchParams({ ...Object.fromEntries(search), seller: id })
  return (
    <span className="block min-w-40">
      <Link to={{ search: to.toString() }} className="font-medium text-link">
        {name}
      </Link>
      {participantId === null && (
        <span className="block text-[0.8125rem] text-ink-soft">Organisateur, pour ses frais</span>
      )}
    </span>
  )
}

const NOT_PROVIDED = <span className="text-ink-muted">Non dit</span>

function SellerStatus({ seller: { issues } }: { seller: Seller }) {
  const errors = issues.filter(({ level }) => level === 'error').length
  if (errors > 0) return <Badge tone="danger">{formatCount(errors, 'point à régler', 'points à régler')}</Badge>
  if (issues.length > 0)
    return <Badge tone="warning">{formatCount(issues.length, 'point à voir', 'points à voir')}</Badge>
  return <Badge tone="success">Complet</Badge>
}

const findEffectiveVat = ({ vat }: Seller) => vat.find(({ state }) => state === 'held')

const findEffectiveMandate = ({ mandates }: Seller) => mandates.find(({ state }) => state === 'held')

const columns: Column<Seller>[] = [
  { header: 'Vendeur', cell: (seller) => <SellerName seller={seller} /> },
  { header: 'Préfixe', cell: ({ prefix }) => <span className="tabular whitespace-nowrap">{prefix}</span> },
  {
    header: 'Régime de TVA',
    cell: (seller) => {
      const vat = findEffectiveVat(seller)
      return vat ? formatVatMode(vat) : NOT_PROVIDED
    },
  },
  {
    header: 'Mandat',
    cell: (seller) => {
      const mandate = findEffectiveMandate(seller)
      if (mandate) return <span className="tabular">{formatMandatePeriod(mandate)}</span>
      return seller.participantId === null ? <span className="text-ink-soft">Sans objet</span> : NOT_PROVIDED
    },
  },
  {
    header: 'Compte',
    cell: ({ ibanEnd }) => (ibanEnd ? <span className="tabular whitespace-nowrap">•••• {ibanEnd}</span> : NOT_PROVIDED),
    card: 'none',
  },
  { header: 'État', cell: (seller) => <SellerStatus seller={seller} /> },
]

function SellerList({ sellers }: { sellers: Seller[] }) {
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      <section aria-labelledby="sellers" className="grid gap-3">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 id="sellers" className="text-base font-semibold tracking-[-0.01em]">
              Vendeurs
            </h2>
            <p className="prose-width text-body text-ink-soft">
              Chaque producteur vend en son nom, sous son numéro et dans sa série. L’organisateur n’émet qu’avec son
              mandat.
            </p>
          </div>
          <AddSellerButton />
        </header>
        {sellers.length > 0 ? (
          <Table label="Liste des vendeurs" rows={sellers} columns={columns} />
        ) : (
          <EmptyState
            title="Aucun vendeur"
            why="Ajoutez ceux qui produisent&nbsp;: leur fiche propose déjà leur identité et un préfixe."
            action={<AddSellerButton label="Ajouter un premier vendeur" />}
          />
        )}
      </section>
      <Suspense fallback={<Skeleton className="h-48 w-full" />}>
        <TermList sellers={sellers} />
      </Suspense>
    </div>
  )
}

/** Who sells; one of them where the address names it. */
export default function SellersTab() {
  const { data, error, refetch } = useQuery(query(parties.sellers, {}))
  const [search] = useSearchParams()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const open = data.items.find(({ id }) => id === search.get('seller'))
  if (!open) return <SellerList sellers={data.items} />
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <SellerDetail key={open.id} seller={open} />
    </Suspense>
  )
}
