import { useParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { OnlineCheckoutView } from './checkout.tsx'

/** For somebody at the desk who pays now, or the address to send to whoever pays at home. */
export default function OfficePayment() {
  const { invoiceId = '' } = useParams()
  const address = `${location.origin}/client-portal/checkout/${invoiceId}`
  return (
    <>
      <PageHeader
        title="Encaisser en ligne"
        description="Ouvrez la page de paiement avec la personne, ou envoyez-lui l’adresse où elle paiera depuis son espace."
      />
      <OnlineCheckoutView
        invoiceId={invoiceId}
        action="Encaisser"
        more={
          <div className="grid gap-3">
            <p className="flex flex-wrap items-center gap-2 text-body text-ink-soft">
              <span className="min-w-0 break-all">{address}</span>
              <CopyButton text={address} />
            </p>
            <ButtonLink to={`/invoice/${invoiceId}`} variant="quiet">
              Revenir à la facture
            </ButtonLink>
          </div>
        }
      />
    </>
  )
}
