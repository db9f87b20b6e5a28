import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useSearchParams } from 'react-router'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatMoney, formatPercent } from '../../../lib/format.ts'
import { formatPrice } from '../../../lib/price.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { PartyIssues } from '../../../ui/party-issues.tsx'
import { formatCompanyNumber } from '../labels.ts'
import { BankCard } from './bank.tsx'
import { EditSellerButton } from './edit.tsx'
import { MandateCard } from './mandates.tsx'
import { VatCard } from './vat.tsx'

type Props = { seller: Seller }
const NOT_PROVIDED = <span className="font-normal text-ink-muted">Non renseigné</span>

const formatFee = (fee: Seller['managementFees'][number]) => {
  if (fee.kind === 'perKwh') return formatPrice(fee.price)
  return fee.kind === 'percentNet'
    ? `${formatPercent(fee.bp / 10_000, 2)} des ventes HT`
    : `${formatMoney(fee.amount)} HT par mois`
}

function buildSellerFacts(seller: Seller) {
  const { address, postalCode, city, country, siren, siret, vatNumber, managementFees } = seller
  const place = [address, `${postalCode} ${city}`.trim(), country === 'FR' ? '' : country].filter(Boolean).join(', ')
  return [
    {
      label: 'Préfixe',
      value: `${seller.prefix} (${formatCount(seller.documents, 'document émis', 'documents émis')})`,
    },
    { label: 'Forme et capital', value: seller.legalForm || NOT_PROVIDED },
    { label: 'SIREN', value: siren ? formatCompanyNumber(siren) : NOT_PROVIDED },
    { label: 'SIRET', value: siret ? formatCompanyNumber(siret) : NOT_PROVIDED },
    { label: 'Numéro de TVA', value: vatNumber || NOT_PROVIDED },
    ...(seller.payfip ? [{ label: 'PayFiP', value: seller.payfip }] : []),
    { label: 'Adresse', value: place || NOT_PROVIDED },
    { label: 'Contact', value: [seller.email, seller.phone].filter(Boolean).join('\n') || NOT_PROVIDED },
    ...(seller.participantId === null
      ? []
      : [{ label: 'Frais de gestion', value: managementFees.map(formatFee).join(' + ') || 'Aucun' }]),
  ]
}

const RemoveSeller = withAccess(parties.removeSeller, ({ seller: { id, name } }: Props) => {
  const remove = useAction(parties.removeSeller, [parties.sellers, parties.candidates])
  const [, setSearch] = useSearchParams()
  return (
    <Confirm
      title={`Retirer «\u00a0${name}\u00a0» des vendeurs\u00a0?`}
      description="Son régime de TVA et son compte sont effacés. Le participant reste."
      action="Retirer le vendeur"
      onConfirm={async () => {
        await remove.run({ params: { id } })
        toast({ title: 'Vendeur retiré', description: name, variant: 'success' })
        setSearch({ tab: 'sellers' })
      }}
      trigger={
        <Button variant="quiet" size="small">
          Retirer
        </Button>
      }
    />
  )
})

/** One seller: who it is, how it stands towards VAT, under which mandate, and where it is paid. */
export default function SellerDetail({ seller }: Props) {
  const [, setSearch] = useSearchParams()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="grid gap-2">
        <Button
          variant="quiet"
          size="small"
          className="-ml-3 justify-self-start"
          icon={<ArrowLeft aria-hidden="true" />}
          onClick={() => setSearch({ tab: 'sellers' })}
        >
          Tous les vendeurs
        </Button>
        <h2 className="text-lg font-semibold">{seller.name}</h2>
        <PartyIssues issues={seller.issues} />
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <Card
          title="Identité"
          actions={
            <>
              {seller.documents === 0 && <RemoveSeller seller={seller} />}
              <EditSellerButton seller={seller} />
            </>
          }
        >
          <FactList facts={buildSellerFacts(seller)} />
        </Card>
        <div className="grid gap-6 [&>*]:min-w-0">
          <VatCard seller={seller} />
          {seller.participantId !== null && <MandateCard seller={seller} />}
          <BankCard seller={seller} />
        </div>
      </div>
    </div>
  )
}
